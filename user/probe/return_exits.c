// SPDX-License-Identifier: GPL-2.0-only
/* A file's code is only read if some function needs it. */
#include "probe/return_exits.h"

#include <errno.h>

#include "base/array.h"
#include "base/clock.h"
#include "target/code_exits.h"

#define AT_ONCE_NS 40000000

static bool is_wanted(const struct plan_function *function, uint32_t file)
{
	return function->file == file && !function->omission && !function->knows_exits &&
	       plan_untimed_has_exits(function->untimed);
}

static int add_exit(struct plan *plan, const struct linked_file *file, uint64_t address)
{
	const struct elf_segment *segment = elf_segments_find(&file->linkage.segments, address);
	uint64_t *exits = array_reserve(plan->exits, plan->exit_count, &plan->exit_capacity, sizeof(*exits));

	if (!exits)
		return -ENOMEM;
	plan->exits = exits;
	exits[plan->exit_count++] = address - segment->address + segment->offset;
	return 0;
}

static int look_at(struct plan *plan, struct plan_function *function, const struct linked_file *file,
		   struct code_flow *flow)
{
	struct code_exits exits;
	uint64_t address;
	int err = 0;

	function->knows_exits = true;
	if (!elf_segments_address(&file->linkage.segments, function->offset, &address))
		return 0;
	err = code_exits_find(flow, address, &exits);
	function->first_exit = (uint32_t)plan->exit_count;
	for (size_t i = 0; i < exits.count && !err; i++)
		err = add_exit(plan, file, exits.items[i]);
	if (err)
		return err;
	function->exit_count = (uint32_t)exits.count;
	function->jumps_on = exits.jumps_on;
	return 0;
}

int return_exits_find(struct plan *plan, const struct linked_file *file, uint32_t number, int fd,
		      bool at_once)
{
	uint64_t end_ns = at_once ? clock_now_ns() + AT_ONCE_NS : UINT64_MAX;
	struct code_flow *flow = NULL;
	int err = 0;

	for (size_t i = 0; i < plan->function_count && !err && fd >= 0 && clock_now_ns() < end_ns; i++) {
		if (!is_wanted(&plan->functions[i], number))
			continue;
		if (!flow)
			err = code_flow_open(&flow, &file->linkage, fd);
		err = err ?: look_at(plan, &plan->functions[i], file, flow);
	}
	code_flow_close(flow);
	/* Of code that is not known nothing is found. */
	return err == -ENOMEM ? err : 0;
}
