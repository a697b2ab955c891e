// SPDX-License-Identifier: GPL-2.0-only
/* What a probe costs: functions that consist of one instruction and a return, called many times with probes on them. */
#include "probe/probe_cost.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "probe/uprobe_link.h"
#include "target/process_maps.h"

typedef void (*subject)(void);

/* Of those for an exit, the return instruction. */
#define SUBJECT(name, instruction)                                                                           \
	void name(void);                                                                                     \
	void name##_exit(void);                                                                              \
	__asm__(".pushsection .text\n.p2align 4\n.type " #name ", @function\n" #name ":\n\t" instruction     \
		"\n" #name "_exit:\n\tret\n.size " #name ", .-" #name "\n.popsection\n")
#define SUBJECTS(name, instruction)                                                                          \
	SUBJECT(name##_entry, instruction);                                                                  \
	SUBJECT(name##_left, instruction)

#if defined(__x86_64__)
#define STEPPED "mov %edi, %eax"
#define NOP5    ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00"
#else
#define STEPPED "nop"
#define NOP5    "nop"
#endif

SUBJECTS(cost_stepped, STEPPED);
SUBJECTS(cost_emulated, "nop");
SUBJECTS(cost_nop5, NOP5);

enum { ENTRY_ONLY, WITH_EXIT, WAYS };

static const subject subjects[PROBE_SITE_KINDS][WAYS] = {
	[PROBE_SITE_STEPPED] = { cost_stepped_entry, cost_stepped_left },
	[PROBE_SITE_EMULATED] = { cost_emulated_entry, cost_emulated_left },
	[PROBE_SITE_NOP5] = { cost_nop5_entry, cost_nop5_left },
};

/* What the program is told by. */
enum { COOKIE_ENTRY, COOKIE_EXIT };

/* Where probes are. */
static const struct {
	subject at;
	uint64_t cookie;
} probed[] = {
	{ cost_stepped_entry, COOKIE_ENTRY },    { cost_stepped_left, COOKIE_ENTRY },
	{ cost_stepped_left_exit, COOKIE_EXIT }, { cost_emulated_entry, COOKIE_ENTRY },
	{ cost_emulated_left, COOKIE_ENTRY },    { cost_emulated_left_exit, COOKIE_EXIT },
	{ cost_nop5_entry, COOKIE_ENTRY },       { cost_nop5_left, COOKIE_ENTRY },
	{ cost_nop5_left_exit, COOKIE_EXIT },
};
_Static_assert(ARRAY_SIZE(probed) <= PROBE_COST_LINKS, "each may be a link of its own");

/* Of what a hit takes, for each other link on the same function: measured once with 300 of them, 60 of 700 ns. */
#define OTHER_LINK_SHARE 12

#define CALLS   8
#define BATCHES 25

static uint64_t measure_batch(subject call)
{
	uint64_t began_ns = clock_now_ns();

	for (int i = 0; i < CALLS; i++)
		call();
	return clock_now_ns() - began_ns;
}

/*
 * Of one call in each way, and between the programs of one: the least of several batches, because whatever disturbs a
 * measurement lengthens it; by turns, because some disturbances last.
 */
static void measure_subjects(const struct probe_cost_program *program, const subject *ways,
			     uint64_t least_ns[WAYS], uint64_t within_ns[WAYS])
{
	for (int way = 0; way < WAYS; way++)
		least_ns[way] = within_ns[way] = UINT64_MAX;
	for (int batch = 0; batch < WAYS * BATCHES; batch++) {
		int way = batch % WAYS;
		uint64_t took_ns;

		*program->least_ns = UINT64_MAX;
		took_ns = measure_batch(ways[way]) / CALLS;
		if (took_ns < least_ns[way])
			least_ns[way] = took_ns;
		if (*program->least_ns < within_ns[way])
			within_ns[way] = *program->least_ns;
	}
}

static uint32_t smaller(uint64_t one, uint64_t other)
{
	return (uint32_t)(one < other ? one : other);
}

/* Where the instructions are in the tracer's file. */
static int find_offsets(uint64_t offsets[ARRAY_SIZE(probed)])
{
	struct process_maps maps;
	int err = process_maps_read(&maps, getpid());

	for (size_t i = 0; i < ARRAY_SIZE(probed) && !err; i++) {
		uint64_t address = (uintptr_t)probed[i].at;
		const struct process_mapping *mapping = process_maps_find(&maps, address);

		if (mapping)
			offsets[i] = mapping->offset + (address - mapping->component.start);
		else
			err = -ENOENT;
	}
	process_maps_clear(&maps);
	return err;
}

/* Adds a link for some of them. Returns 0 or a negative errno. */
static int add_link(struct probe_cost_links *links, const struct uprobe_link *description)
{
	int fd = uprobe_link_create(description);

	if (fd < 0)
		return fd;
	links->items[links->count++] = fd;
	return 0;
}

/* One each. */
static int add_events(struct probe_cost_links *links, const struct uprobe_link *all)
{
	struct uprobe_link one = *all;
	int err = 0;

	one.count = 1;
	for (uint32_t i = 0; i < all->count && !err; i++) {
		one.offsets = &all->offsets[i];
		one.cookies = &all->cookies[i];
		err = add_link(links, &one);
	}
	return err;
}

static int attach(const struct probe_cost_program *program, struct probe_cost_links *links)
{
	uint64_t offsets[ARRAY_SIZE(probed)], cookies[ARRAY_SIZE(probed)];
	struct uprobe_link all = {
		.kind = uprobe_link_plain(),
		.program_fd = program->fd,
		.offsets = offsets,
		.cookies = cookies,
		.count = ARRAY_SIZE(probed),
		.pid = getpid(),
	};
	int err = find_offsets(offsets);

	for (size_t i = 0; i < ARRAY_SIZE(probed); i++)
		cookies[i] = probed[i].cookie;
	if (err)
		return err;
	all.file_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (all.file_fd < 0)
		return -errno;
	err = all.kind == UPROBE_LINK_EVENT ? add_events(links, &all) : add_link(links, &all);
	close(all.file_fd);
	return err;
}

static void measure_kind(struct probe_costs *costs, const struct probe_cost_program *program, int kind)
{
	uint64_t took_ns[WAYS], within_ns[WAYS];

	measure_subjects(program, subjects[kind], took_ns, within_ns);
	costs->entry_ns[kind] = (uint32_t)took_ns[ENTRY_ONLY];
	costs->within_ns[kind] = smaller(within_ns[WITH_EXIT], took_ns[WITH_EXIT]);
}

int probe_cost_measure(struct probe_costs *costs, const struct probe_cost_program *program,
		       struct probe_cost_links *links)
{
	int err;

	links->count = 0;
	*costs = (struct probe_costs){ 0 };
	err = attach(program, links);
	for (int kind = 0; kind < PROBE_SITE_KINDS && !err; kind++)
		measure_kind(costs, program, kind);
	costs->exit_ns = costs->entry_ns[PROBE_SITE_STEPPED];
	costs->other_link_ns = costs->entry_ns[PROBE_SITE_EMULATED] / OTHER_LINK_SHARE;
	return err;
}
