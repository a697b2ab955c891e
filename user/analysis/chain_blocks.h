/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What explains waits, summed up. A wait of a second for a busy thread is explained by all that this one did in the
 * second, and so is the next thread's that it wakes: blocks of 8, 64, 512, ... consecutive times off a CPU of a thread,
 * each with the running before the next, are walked once and then added as a whole. The sums are those of a walk.
 */
#ifndef SCALER_ANALYSIS_CHAIN_BLOCKS_H
#define SCALER_ANALYSIS_CHAIN_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/chain_nodes.h"

#define CHAIN_BLOCK_LEVELS 6

/* So many nodes are kept in blocks, which takes 117 MB; then all blocks are made anew. */
#define CHAIN_BLOCK_NODES (1 << 21)

/* What a stretch of a thread's time was made of. */
struct chain_block {
	struct chain_node *nodes; /* owned; the thread's own time has no parent. NULL: it was not made */
	uint32_t count;           /* of nodes */
	uint32_t depth;    /* of the deepest; if it was not made: it cannot be at this depth or below */
	uint64_t segments; /* that the nodes sum up */
};

/* By level, and the position of their last time off a CPU in the history. */
struct thread_blocks {
	uint32_t revision;                              /* of the thread's history, of which they are */
	struct chain_block *levels[CHAIN_BLOCK_LEVELS]; /* owned */
	size_t counts[CHAIN_BLOCK_LEVELS];
};

/* All zero at first. */
struct chain_blocks {
	struct thread_blocks *threads; /* owned; in the order of the history's */
	size_t thread_count;
	size_t node_count; /* of all blocks */
	uint32_t *places;  /* owned; scratch space */
	size_t place_count;
};

/*
 * Adds to the nodes, below the parent, what explains the wait between these times, as wait_chain_explain() does. What
 * comes into the history after that, and belongs before it, may be overlooked by later calls as it was by this one.
 * Returns 0 or -ENOMEM, and the number of segments.
 */
int chain_blocks_explain(struct chain_blocks *blocks, const struct wait_history *history, uint32_t task,
			 const struct off_cpu *wait, uint64_t from_ns, uint64_t to_ns, struct distinct *nodes,
			 uint32_t parent, uint64_t *segments);

void chain_blocks_clear(struct chain_blocks *blocks);

#endif
