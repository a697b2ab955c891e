// SPDX-License-Identifier: GPL-2.0-only
/*
 * A graph of the functions that can be reached: a node's own bits are found by following its code, which adds the nodes
 * that it calls; then bits flow from the called to their callers until nothing changes.
 */
#include "target/code_reach.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/distinct.h"
#include "target/code_flow.h"

struct code_node {
	uint64_t address; /* the key */
	uint32_t bits;
	uint32_t zero;
};

struct code_call {
	uint32_t from; /* nodes */
	uint32_t to;
};

struct reaching {
	const struct code_reach_rules *rules;
	struct code_flow *flow;
	struct distinct nodes;   /* of struct code_node */
	struct code_call *calls; /* owned */
	size_t call_count;
	size_t call_capacity;
	size_t left;   /* instructions that may be decoded */
	uint32_t node; /* the present one */
};

static struct code_node *get_node(const struct reaching *reaching, size_t index)
{
	return (struct code_node *)reaching->nodes.items + index;
}

/* Returns the node of a function, or SIZE_MAX without memory. */
static size_t add_node(struct reaching *reaching, uint64_t address)
{
	return distinct_add(&reaching->nodes, &address, sizeof(address), sizeof(struct code_node));
}

static int add_call(struct reaching *reaching, uint64_t address)
{
	struct code_call *calls = array_reserve(reaching->calls, reaching->call_count,
						&reaching->call_capacity, sizeof(*calls));
	size_t node;

	if (!calls)
		return -ENOMEM;
	reaching->calls = calls;
	node = add_node(reaching, address);
	if (node == SIZE_MAX)
		return -ENOMEM;
	calls[reaching->call_count++] = (struct code_call){ reaching->node, (uint32_t)node };
	return 0;
}

/*
 * A function of this file that has a slot may be replaced by another file's, so that its code here does not tell.
 */
static uint32_t find_bits(const struct reaching *reaching, const struct code_step *step)
{
	if (!step->instruction)
		return reaching->rules->anything;
	switch (step->kind) {
	case INSTRUCTION_CALL_SLOT:
	case INSTRUCTION_JUMP_SLOT:
		return step->slot ? reaching->rules->outside(step->slot->name, step->slot->version) :
				    reaching->rules->anything;
	case INSTRUCTION_CALL_COMPUTED:
	case INSTRUCTION_JUMP_COMPUTED:
	case INSTRUCTION_SYSTEM_CALL:
		return reaching->rules->anything;
	default:
		return 0;
	}
}

/* Once anything may be called, the rest of the code adds nothing. */
static int take_step(void *context, const struct code_step *step)
{
	struct reaching *reaching = context;
	int err = step->instruction && step->kind == INSTRUCTION_CALL ?
			  add_call(reaching, step->instruction->target) :
			  0;
	struct code_node *node = get_node(reaching, reaching->node);

	node->bits |= find_bits(reaching, step);
	return err ?: !(reaching->rules->anything & ~node->bits);
}

static int follow_node(struct reaching *reaching, size_t index)
{
	struct code_node *node = get_node(reaching, index);
	ssize_t taken;

	reaching->node = (uint32_t)index;
	taken = code_flow_follow(reaching->flow, node->address, reaching->left, take_step, reaching);
	if (taken < 0)
		return (int)taken;
	reaching->left -= (size_t)taken;
	return 0;
}

/* Callers are mostly found before what they call, so that most calls are settled by one pass backwards. */
static void spread_bits(struct reaching *reaching)
{
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (size_t i = reaching->call_count; i; i--) {
			const struct code_call *call = &reaching->calls[i - 1];
			struct code_node *from = get_node(reaching, call->from);
			uint32_t more = get_node(reaching, call->to)->bits & ~from->bits;

			from->bits |= more;
			has_changed |= more != 0;
		}
	}
}

static int find(struct reaching *reaching, const uint64_t *functions, size_t count, uint32_t *bits)
{
	int err = 0;

	for (size_t i = 0; i < count && !err; i++) {
		if (add_node(reaching, functions[i]) == SIZE_MAX)
			err = -ENOMEM;
	}
	/* Each may add some. */
	for (size_t i = 0; i < reaching->nodes.count && !err; i++)
		err = follow_node(reaching, i);
	if (err)
		return err;
	spread_bits(reaching);
	for (size_t i = 0; i < count; i++)
		bits[i] = get_node(reaching, add_node(reaching, functions[i]))->bits;
	return 0;
}

int code_reach_find(const struct code_reach_rules *rules, const struct linkage *linkage, int fd,
		    const uint64_t *functions, size_t count, uint32_t *bits)
{
	struct reaching reaching = { .rules = rules, .left = rules->most_instructions };
	int err = code_flow_open(&reaching.flow, linkage, fd) ?: find(&reaching, functions, count, bits);

	code_flow_close(reaching.flow);
	distinct_clear(&reaching.nodes);
	free(reaching.calls);
	return err;
}
