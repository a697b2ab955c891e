/* SPDX-License-Identifier: GPL-2.0-only */
/* Segments of wait-for chains summed up as trees: those of one shape and kind below the same node are one node. */
#ifndef SCALER_ANALYSIS_CHAIN_NODES_H
#define SCALER_ANALYSIS_CHAIN_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/wait_chain.h"
#include "base/distinct.h"

#define CHAIN_NODE_NONE UINT32_MAX

struct chain_node_key {
	uint32_t parent; /* an index in the nodes; CHAIN_NODE_NONE: none */
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
	bool is_left_out; /* chain_choice.h */
};

/* Adds to the nodes. Returns the index of the segment's, or CHAIN_NODE_NONE: there is no memory. */
uint32_t chain_nodes_add(struct distinct *nodes, uint32_t parent, const struct chain_segment *segment);

/*
 * Adds sums, in which those without a parent are to be below the given one. Where each went is told in the last
 * argument, which has room for that. Returns 0 or -ENOMEM.
 */
int chain_nodes_merge(struct distinct *nodes, uint32_t parent, const struct chain_node *sums, size_t count,
		      uint32_t *places);

static inline struct chain_node *chain_nodes_get(const struct distinct *nodes, uint32_t index)
{
	return &((struct chain_node *)nodes->items)[index];
}

#endif
