// SPDX-License-Identifier: GPL-2.0-only
/* What a probe costs: functions that consist of one instruction and a return, called many times with probes on them. */
#include "probe/probe_cost.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/uprobe_multi.h"
#include "target/process_maps.h"

typedef void (*subject)(void);

/* Each twice: probed at its entry, and at its return, too. */
#define SUBJECT(name, instruction)                                                                           \
	void name(void);                                                                                     \
	__asm__(".pushsection .text\n.p2align 4\n.type " #name ", @function\n" #name ":\n\t" instruction     \
		"\n\tret\n.size " #name ", .-" #name "\n.popsection\n")

#if defined(__x86_64__)
#define STEPPED "mov %edi, %eax"
#define NOP5    ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00"
#else
#define STEPPED "nop"
#define NOP5    "nop"
#endif

SUBJECT(cost_stepped_entry, STEPPED);
SUBJECT(cost_stepped_return, STEPPED);
SUBJECT(cost_emulated_entry, "nop");
SUBJECT(cost_emulated_return, "nop");
SUBJECT(cost_nop5_entry, NOP5);
SUBJECT(cost_nop5_return, NOP5);

/* Cookies are the second index: without and with a return. */
enum { WITH_RETURN, ENTRY_ONLY, WAYS };

static const subject subjects[PROBE_SITE_KINDS][WAYS] = {
	[PROBE_SITE_STEPPED] = { cost_stepped_return, cost_stepped_entry },
	[PROBE_SITE_EMULATED] = { cost_emulated_return, cost_emulated_entry },
	[PROBE_SITE_NOP5] = { cost_nop5_return, cost_nop5_entry },
};

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
 * Of one call in each way: the least of several batches, because whatever disturbs a measurement lengthens it; by turns,
 * because some disturbances last.
 */
static void measure_subjects(const subject *ways, uint64_t least_ns[WAYS])
{
	least_ns[WITH_RETURN] = least_ns[ENTRY_ONLY] = UINT64_MAX;
	for (int batch = 0; batch < WAYS * BATCHES; batch++) {
		uint64_t took_ns = measure_batch(ways[batch % WAYS]);

		if (took_ns < least_ns[batch % WAYS])
			least_ns[batch % WAYS] = took_ns;
	}
	least_ns[WITH_RETURN] /= CALLS;
	least_ns[ENTRY_ONLY] /= CALLS;
}

static uint32_t smaller(uint64_t one, uint64_t other)
{
	return (uint32_t)(one < other ? one : other);
}

/* Where the functions are in the tracer's file. */
static int find_offsets(uint64_t offsets[PROBE_SITE_KINDS][WAYS])
{
	struct process_maps maps;
	int err = process_maps_read(&maps, getpid());

	for (int kind = 0; kind < PROBE_SITE_KINDS && !err; kind++) {
		for (int way = 0; way < WAYS; way++) {
			uint64_t address = (uintptr_t)subjects[kind][way];
			const struct process_mapping *mapping = process_maps_find(&maps, address);

			if (mapping)
				offsets[kind][way] = mapping->offset + (address - mapping->component.start);
			else
				err = -ENOENT;
		}
	}
	process_maps_clear(&maps);
	return err;
}

static int attach(const struct probe_cost_program *program)
{
	uint64_t offsets[PROBE_SITE_KINDS][WAYS], cookies[PROBE_SITE_KINDS][WAYS];
	struct uprobe_multi probes = {
		.kind = program->is_session ? UPROBE_MULTI_SESSION : UPROBE_MULTI_ENTRY,
		.program_fd = program->fd,
		.offsets = &offsets[0][0],
		.cookies = &cookies[0][0],
		.count = PROBE_SITE_KINDS * WAYS,
		.pid = getpid(),
	};
	int err = find_offsets(offsets);

	for (int i = 0; i < PROBE_SITE_KINDS * WAYS; i++)
		cookies[i / WAYS][i % WAYS] = (uint64_t)i % WAYS;
	if (err)
		return err;
	probes.file_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (probes.file_fd < 0)
		return -errno;
	err = uprobe_multi_attach(&probes);
	close(probes.file_fd);
	return err;
}

int probe_cost_measure(struct probe_costs *costs, const struct probe_cost_program *program)
{
	int link = attach(program);

	*costs = (struct probe_costs){ 0 };
	for (int kind = 0; kind < PROBE_SITE_KINDS && link >= 0; kind++) {
		uint64_t took_ns[WAYS];

		*program->least_ns = UINT64_MAX;
		measure_subjects(subjects[kind], took_ns);
		costs->entry_ns[kind] = (uint32_t)took_ns[ENTRY_ONLY];
		if (!program->is_session)
			continue;
		costs->return_ns[kind] =
			(uint32_t)took_ns[WITH_RETURN] - smaller(took_ns[WITH_RETURN], took_ns[ENTRY_ONLY]);
		costs->within_ns[kind] =
			smaller(*program->least_ns, costs->entry_ns[kind] + costs->return_ns[kind]);
	}
	costs->other_link_ns = costs->entry_ns[PROBE_SITE_EMULATED] / OTHER_LINK_SHARE;
	return link;
}
