// SPDX-License-Identifier: GPL-2.0-only
/* A file's code is only read if some function's exits are not kept from an earlier run. */
#include "probe/call_exits.h"

#include <errno.h>

#include "base/array.h"
#include "base/clock.h"
#include "code/code_exits.h"
#include "probe/exit_cache.h"

#define AT_ONCE_NS 40000000

static bool is_wanted(const struct plan_function *function, uint32_t file)
{
	return function->file == file && !function->omission && !function->knows_exits && !function->untimed;
}

/* The search through one file. */
struct exit_search {
	struct plan *plan;
	const struct linked_file *file;
	uint64_t end_ns; /* then no more code is followed */
	struct exit_cache cache;
	struct code_flow *flow; /* NULL: no code had to be read yet */
};

static int add_exit(struct exit_search *search, uint64_t address)
{
	struct plan *plan = search->plan;
	const struct elf_segment *segment = elf_segments_find(&search->file->linkage.segments, address);
	uint64_t *exits = array_reserve(plan->exits, plan->exit_count, &plan->exit_capacity, sizeof(*exits));

	if (!exits)
		return -ENOMEM;
	plan->exits = exits;
	exits[plan->exit_count++] = address - segment->address + segment->offset;
	return 0;
}

static int add_exits(struct exit_search *search, struct plan_function *function,
		     const struct code_exits *exits)
{
	int err = 0;

	function->knows_exits = true;
	function->first_exit = (uint32_t)search->plan->exit_count;
	for (size_t i = 0; i < exits->count && !err; i++)
		err = add_exit(search, exits->items[i]);
	if (err)
		return err;
	function->exit_count = (uint32_t)exits->count;
	function->jumps_on = exits->jumps_on;
	return 0;
}

/* Those that an earlier run has kept may be anything. */
static bool are_code(const struct exit_search *search, const struct code_exits *exits)
{
	for (size_t i = 0; i < exits->count; i++) {
		if (!elf_segments_find(&search->file->linkage.segments, exits->items[i]))
			return false;
	}
	return true;
}

static int follow_code(struct exit_search *search, uint64_t address, struct code_exits *exits)
{
	int err = search->flow ? 0 : code_flow_open(&search->flow, &search->file->linkage, search->cache.fd);

	err = err ?: code_exits_find(search->flow, address, exits);
	return err ?: exit_cache_add(&search->cache, address, exits);
}

static int look_at(struct exit_search *search, struct plan_function *function)
{
	struct code_exits exits = { 0 };
	uint64_t address;
	int err = 0;

	if (elf_segments_address(&search->file->linkage.segments, function->offset, &address) &&
	    !exit_cache_find(&search->cache, address, &exits)) {
		if (clock_now_ns() >= search->end_ns)
			return 0;
		err = follow_code(search, address, &exits);
	}
	if (!are_code(search, &exits))
		exits = (struct code_exits){ 0 };
	return err ?: add_exits(search, function, &exits);
}

static int search_file(struct exit_search *search, uint32_t number, int fd)
{
	int err = exit_cache_open(&search->cache, search->file, fd);

	for (size_t i = 0; i < search->plan->function_count && !err; i++) {
		if (is_wanted(&search->plan->functions[i], number))
			err = look_at(search, &search->plan->functions[i]);
	}
	exit_cache_close(&search->cache);
	code_flow_close(search->flow);
	return err;
}

static bool is_any_wanted(const struct plan *plan, uint32_t file)
{
	for (size_t i = 0; i < plan->function_count; i++) {
		if (is_wanted(&plan->functions[i], file))
			return true;
	}
	return false;
}

int call_exits_find(struct plan *plan, const struct linked_file *file, uint32_t number, int fd, bool at_once)
{
	struct exit_search search = {
		.plan = plan,
		.file = file,
		.end_ns = at_once ? clock_now_ns() + AT_ONCE_NS : UINT64_MAX,
	};
	int err = fd >= 0 && is_any_wanted(plan, number) ? search_file(&search, number, fd) : 0;

	/* Of code that is not known nothing is found. */
	return err == -ENOMEM ? err : 0;
}
