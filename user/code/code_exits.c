// SPDX-License-Identifier: GPL-2.0-only
/* Collects exits until one makes the rest worthless. */
#include "code/code_exits.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* Of one function with what it jumps to: more than any that is not generated. */
#define MOST_INSTRUCTIONS 50000

struct exit_search {
	struct code_flow *flow;
	struct code_exits *exits;
	uint64_t entry;
	bool is_lost;
};

/* Returns 1: there is nothing more to be found. */
static int lose(struct exit_search *search)
{
	search->is_lost = true;
	return 1;
}

static int add_exit(struct exit_search *search, uint64_t address)
{
	struct code_exits *exits = search->exits;

	if (exits->count >= CODE_EXITS_MAX || address == search->entry)
		return lose(search);
	exits->items[exits->count++] = address;
	return 0;
}

static void note_jump(struct exit_search *search, uint64_t address)
{
	if (address != search->entry && code_flow_is_export(search->flow, address))
		search->exits->jumps_on = true;
}

static int take_step(void *context, const struct code_step *step)
{
	struct exit_search *search = context;

	if (!step->instruction)
		return lose(search);
	switch (step->kind) {
	case INSTRUCTION_RETURN:
	case INSTRUCTION_JUMP_SLOT:
		return add_exit(search, step->instruction->address);
	case INSTRUCTION_JUMP_COMPUTED:
		return step->leaves ? add_exit(search, step->instruction->address) : lose(search);
	case INSTRUCTION_JUMP:
		note_jump(search, step->instruction->target);
		return 0;
	case INSTRUCTION_BRANCH:
		note_jump(search, step->instruction->target);
		/* It would leave at the stub, which all others leave by, too. */
		if (code_flow_is_stub(search->flow, step->instruction->target))
			return lose(search);
		return 0;
	default:
		return 0;
	}
}

static int compare_addresses(const void *left, const void *right)
{
	return array_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

int code_exits_find(struct code_flow *flow, uint64_t address, struct code_exits *exits)
{
	struct exit_search search = { .flow = flow, .exits = exits, .entry = address };
	ssize_t taken;

	*exits = (struct code_exits){ 0 };
	taken = code_flow_follow(flow, address, MOST_INSTRUCTIONS, take_step, &search);
	if (taken < 0)
		return (int)taken;
	if (search.is_lost)
		exits->count = 0;
	qsort(exits->items, exits->count, sizeof(exits->items[0]), compare_addresses);
	return 0;
}
