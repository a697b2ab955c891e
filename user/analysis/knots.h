/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Knots of a wait-for graph: nodes that wait, directly or by way of others, for each other and for nothing else, or
 * that wait for nothing and are waited for. What makes all others wait in the end is in knots. The source is "wPerf:
 * Generic Off-CPU Analysis to Identify Bottleneck Waiting Events" (Zhou et al., OSDI 2018); strongly connected components
 * by Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972).
 */
#ifndef SCALER_ANALYSIS_KNOTS_H
#define SCALER_ANALYSIS_KNOTS_H

#include <stddef.h>
#include <stdint.h>

struct knot_edge {
	uint32_t from; /* a node, which waits for the other */
	uint32_t to;
	uint64_t weight;
};

/*
 * Sets for each of the nodes the number of its knot, from 1 on, 0: it is in none. Edges of less than that weight do not
 * count, nor do nodes without edges that do; of the others the order is changed. Returns 0 or -ENOMEM.
 */
int knots_find(struct knot_edge *edges, size_t edge_count, size_t node_count, uint64_t least_weight,
	       uint32_t *knots);

#endif
