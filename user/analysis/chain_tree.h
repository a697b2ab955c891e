/* SPDX-License-Identifier: GPL-2.0-only */
/* Wait-for chains of one shape put together: how much of all their time each cause explains, at each depth. */
#ifndef SCALER_ANALYSIS_CHAIN_TREE_H
#define SCALER_ANALYSIS_CHAIN_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/chain_blocks.h"
#include "analysis/chain_nodes.h"
#include "analysis/wait_chain.h"

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
	struct chain_blocks blocks;
};

/*
 * Adds what explains a thread's wait between these times, which lie within its blocked part. Returns 0 or -ENOMEM,
 * after which the tree can only be cleared.
 */
int chain_tree_add(struct chain_tree *tree, const struct wait_history *history, uint32_t task,
		   const struct off_cpu *wait, uint64_t from_ns, uint64_t to_ns);
/*
 * The same of a time between these that the thread waited for a CPU, whatever it did before: CHAIN_RUNNABLE, or
 * CHAIN_QUOTA.
 */
int chain_tree_add_delay(struct chain_tree *tree, uint32_t task, const struct off_cpu *delay,
			 enum chain_kind kind, uint64_t from_ns, uint64_t to_ns);
void chain_tree_clear(struct chain_tree *tree);

static inline struct chain_node *chain_tree_nodes(const struct chain_tree *tree)
{
	return tree->nodes.items;
}

#endif
