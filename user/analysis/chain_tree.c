// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains of one shape put together: how much of all their time each cause explains, at each depth. */
#include "analysis/chain_tree.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* Of a walk, what comes first, which is the last in time. */
struct walked {
	struct chain_segment *segments; /* owned */
	size_t count;
	size_t room;
};

static int add_example(struct chain_tree *tree, uint32_t node)
{
	struct chain_example *examples = array_reserve(tree->examples, tree->example_count,
						       &tree->example_capacity, sizeof(*examples));

	if (!examples)
		return -ENOMEM;
	tree->examples = examples;
	chain_nodes_get(&tree->nodes, node)->example = (uint32_t)tree->example_count;
	examples[tree->example_count++] = (struct chain_example){ 0 };
	return 0;
}

/* The earliest counts as the longest of several that are as long, whichever comes first. */
static bool is_longer(const struct chain_segment *whole, const struct chain_example *example)
{
	uint64_t time_ns = whole->to_ns - whole->from_ns;
	uint64_t example_ns = example->whole.to_ns - example->whole.from_ns;

	if (time_ns != example_ns)
		return time_ns > example_ns;
	if (whole->from_ns != example->whole.from_ns)
		return whole->from_ns < example->whole.from_ns;
	return whole->task < example->whole.task;
}

static int compare_segments(const void *left, const void *right)
{
	const struct chain_segment *a = left, *b = right;

	return array_order(a->from_ns, b->from_ns) ?: array_order(a->depth, b->depth);
}

static int keep_segment(void *data, const struct chain_segment *segment)
{
	struct walked *walked = data;

	walked->segments[walked->count++] = *segment;
	return walked->count == walked->room;
}

/* Which has so many segments. */
static int make_example(const struct wait_history *history, const struct off_cpu *wait,
			const struct chain_segment *whole, size_t segments, struct chain_example *example)
{
	size_t room = segments < CHAIN_EXAMPLE_SEGMENTS ? segments : CHAIN_EXAMPLE_SEGMENTS;
	struct walked walked = { .segments = calloc(room + 1, sizeof(*walked.segments)), .room = room };
	const struct chain_visitor visitor = { .visit = keep_segment, .data = &walked };

	if (!walked.segments)
		return -ENOMEM;
	wait_chain_explain(history, whole->task, wait, whole->from_ns, whole->to_ns, 1, &visitor);
	qsort(walked.segments, walked.count, sizeof(*walked.segments), compare_segments);
	free(example->segments);
	*example = (struct chain_example){
		.whole = *whole,
		.segments = walked.segments,
		.count = walked.count,
		.left_out = segments - walked.count,
	};
	return 0;
}

/* Of nothing above it. CHAIN_NODE_NONE: there is no memory. */
static uint32_t add_root(struct chain_tree *tree, const struct chain_segment *whole)
{
	uint32_t node = chain_nodes_add(&tree->nodes, CHAIN_NODE_NONE, whole);

	if (node == CHAIN_NODE_NONE ||
	    (chain_nodes_get(&tree->nodes, node)->count == 1 && add_example(tree, node)))
		return CHAIN_NODE_NONE;
	return node;
}

int chain_tree_add(struct chain_tree *tree, const struct wait_history *history, uint32_t task,
		   const struct off_cpu *wait, uint64_t from_ns, uint64_t to_ns)
{
	const struct chain_segment whole = { from_ns, to_ns, task, wait->shape, 0, CHAIN_WAIT };
	struct chain_example *example;
	uint64_t segments;
	uint32_t node;
	int err;

	if (from_ns >= to_ns)
		return 0;
	node = add_root(tree, &whole);
	if (node == CHAIN_NODE_NONE)
		return -ENOMEM;
	err = chain_blocks_explain(&tree->blocks, history, task, wait, from_ns, to_ns, &tree->nodes, node,
				   &segments);
	if (err)
		return err;
	example = &tree->examples[chain_nodes_get(&tree->nodes, node)->example];
	return is_longer(&whole, example) ? make_example(history, wait, &whole, segments, example) : 0;
}

int chain_tree_add_delay(struct chain_tree *tree, uint32_t task, const struct off_cpu *delay,
			 enum chain_kind kind, uint64_t from_ns, uint64_t to_ns)
{
	const struct chain_segment whole = { from_ns, to_ns, task, delay->delay_shape, 0, kind };
	struct chain_example *example;
	uint32_t node;

	if (from_ns >= to_ns)
		return 0;
	node = add_root(tree, &whole);
	if (node == CHAIN_NODE_NONE)
		return -ENOMEM;
	example = &tree->examples[chain_nodes_get(&tree->nodes, node)->example];
	if (is_longer(&whole, example))
		*example = (struct chain_example){ .whole = whole };
	return 0;
}

void chain_tree_clear(struct chain_tree *tree)
{
	for (size_t i = 0; i < tree->example_count; i++)
		free(tree->examples[i].segments);
	free(tree->examples);
	chain_blocks_clear(&tree->blocks);
	distinct_clear(&tree->nodes);
	*tree = (struct chain_tree){ 0 };
}
