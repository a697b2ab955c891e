/* SPDX-License-Identifier: GPL-2.0-only */
/* Wait-for chains of one shape put together: how much of all their time each cause explains, at each depth. */
#ifndef SCALER_ANALYSIS_CHAIN_TREE_H
#define SCALER_ANALYSIS_CHAIN_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/wait_chain.h"

#define CHAIN_NODE_NONE UINT32_MAX

struct chain_node_key {
	uint32_t parent; /* an index in the nodes; CHAIN_NODE_NONE: it is a wait that is explained */
	uint32_t shape;
	uint32_t kind; /* enum chain_kind */
};

/* Parents stand before what explains them. The time of what explains a wait adds up to the wait's. */
struct chain_node {
	struct chain_node_key key;
	uint32_t example; /* of a wait that is explained: an index in the examples */
	uint64_t count;   /* of segments */
	uint64_t total_ns;
	uint64_t longest_ns;
	uint64_t idle_ns; /* of its total; idle.h */
	bool takes_work;  /* as do all waits that it is part of; idle.h */
};

/* The longest wait of a node: what explains it, in the order of time, each wait before what explains it. */
struct chain_example {
	struct chain_segment whole;
	struct chain_segment *segments; /* owned; the last so many of them */
	size_t count;
	size_t left_out; /* so many before */
};

#define CHAIN_EXAMPLE_SEGMENTS 1000 /* at most */

/* All zero at first. */
struct chain_tree {
	struct distinct nodes;          /* of struct chain_node */
	struct chain_example *examples; /* owned */
	size_t example_count;
	size_t example_capacity;
	struct chain_segment *walked; /* owned; of the wait that is being added, as many as an example has */
	size_t walked_count;
};

/*
 * Adds what explains a thread's wait between these times, which lie within its blocked part. Returns 0 or -ENOMEM,
 * after which the tree can only be cleared.
 */
int chain_tree_add(struct chain_tree *tree, const struct wait_history *history, uint32_t task,
		   const struct off_cpu *wait, uint64_t from_ns, uint64_t to_ns);
void chain_tree_clear(struct chain_tree *tree);

static inline struct chain_node *chain_tree_nodes(const struct chain_tree *tree)
{
	return tree->nodes.items;
}

#endif
