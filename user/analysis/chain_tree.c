// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains of one shape put together: how much of all their time each cause explains, at each depth. */
#include "analysis/chain_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A wait that is being added. */
struct addition {
	struct chain_tree *tree;
	uint32_t waits[CHAIN_DEPTH_LIMIT + 1]; /* the node of the last wait at each depth */
};

static struct chain_node *node_at(const struct chain_tree *tree, uint32_t index)
{
	return &((struct chain_node *)tree->nodes.items)[index];
}

static uint32_t add_time(struct chain_tree *tree, uint32_t parent, const struct chain_segment *segment)
{
	const struct chain_node_key key = { parent, segment->shape, segment->kind };
	uint64_t time_ns = segment->to_ns - segment->from_ns;
	uint32_t index = (uint32_t)distinct_add(&tree->nodes, &key, sizeof(key), sizeof(struct chain_node));
	struct chain_node *node;

	if (index == CHAIN_NODE_NONE)
		return index;
	node = node_at(tree, index);
	node->count++;
	node->total_ns += time_ns;
	if (time_ns > node->longest_ns)
		node->longest_ns = time_ns;
	return index;
}

static int add_segment(void *data, const struct chain_segment *segment)
{
	struct addition *addition = data;
	struct chain_tree *tree = addition->tree;
	uint32_t node = add_time(tree, addition->waits[segment->depth - 1], segment);

	if (node == CHAIN_NODE_NONE)
		return -ENOMEM;
	if (chain_kind_is_explained(segment->kind))
		addition->waits[segment->depth] = node;
	if (tree->walked_count < CHAIN_EXAMPLE_SEGMENTS)
		tree->walked[tree->walked_count] = *segment;
	tree->walked_count++;
	return 0;
}

static int add_example(struct chain_tree *tree, uint32_t node)
{
	struct chain_example *examples = array_reserve(tree->examples, tree->example_count,
						       &tree->example_capacity, sizeof(*examples));

	if (!examples)
		return -ENOMEM;
	tree->examples = examples;
	node_at(tree, node)->example = (uint32_t)tree->example_count;
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

/* What has been walked last. */
static int take_example(struct chain_tree *tree, struct chain_example *example,
			const struct chain_segment *whole)
{
	size_t count =
		tree->walked_count < CHAIN_EXAMPLE_SEGMENTS ? tree->walked_count : CHAIN_EXAMPLE_SEGMENTS;
	struct chain_segment *segments = calloc(count + 1, sizeof(*segments));

	if (!segments)
		return -ENOMEM;
	memcpy(segments, tree->walked, count * sizeof(*segments));
	qsort(segments, count, sizeof(*segments), compare_segments);
	free(example->segments);
	*example = (struct chain_example){
		.whole = *whole,
		.segments = segments,
		.count = count,
		.left_out = tree->walked_count - count,
	};
	return 0;
}

int chain_tree_add(struct chain_tree *tree, const struct wait_history *history, uint32_t task,
		   const struct off_cpu *wait, uint64_t from_ns, uint64_t to_ns)
{
	struct addition addition = { .tree = tree };
	const struct chain_visitor visitor = { add_segment, &addition };
	const struct chain_segment whole = { from_ns, to_ns, task, wait->shape, 0, CHAIN_WAIT };
	struct chain_example *example;
	uint32_t node;
	int err;

	if (from_ns >= to_ns)
		return 0;
	if (!tree->walked)
		tree->walked = calloc(CHAIN_EXAMPLE_SEGMENTS, sizeof(*tree->walked));
	node = tree->walked ? add_time(tree, CHAIN_NODE_NONE, &whole) : CHAIN_NODE_NONE;
	if (node == CHAIN_NODE_NONE || (node_at(tree, node)->count == 1 && add_example(tree, node)))
		return -ENOMEM;
	addition.waits[0] = node;
	tree->walked_count = 0;
	err = wait_chain_explain(history, task, wait, from_ns, to_ns, 1, &visitor);
	if (err)
		return err;
	example = &tree->examples[node_at(tree, node)->example];
	return is_longer(&whole, example) ? take_example(tree, example, &whole) : 0;
}

void chain_tree_clear(struct chain_tree *tree)
{
	for (size_t i = 0; i < tree->example_count; i++)
		free(tree->examples[i].segments);
	free(tree->examples);
	free(tree->walked);
	distinct_clear(&tree->nodes);
	*tree = (struct chain_tree){ 0 };
}
