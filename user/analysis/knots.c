// SPDX-License-Identifier: GPL-2.0-only
/* Knots of a wait-for graph: strongly connected components that no edge leaves. */
#include "analysis/knots.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"

struct node {
	size_t next; /* of its edges, which is to be followed; they end where the next node's begin */
	size_t end;
	uint32_t visit;     /* in which order it was reached, from 1 on; 0: not yet */
	uint32_t low;       /* the first visit that is known to be reached from it, and to reach it */
	uint32_t component; /* from 1 on; 0: not known yet */
	bool has_edge;
};

struct search {
	const struct knot_edge *edges;
	struct node *nodes;
	uint32_t *path;  /* of nodes from the first to the one that is being followed */
	uint32_t *stack; /* of nodes that have been reached and whose component is not known */
	size_t path_length;
	size_t stack_height;
	uint32_t visits;
	uint32_t components;
};

static int compare_edges(const void *left, const void *right)
{
	const struct knot_edge *a = left, *b = right;

	return array_order(a->from, b->from);
}

static void enter(struct search *search, uint32_t at)
{
	struct node *node = &search->nodes[at];

	node->visit = node->low = ++search->visits;
	search->path[search->path_length++] = at;
	search->stack[search->stack_height++] = at;
}

/* All that it reaches has been followed. */
static void leave(struct search *search)
{
	uint32_t at = search->path[--search->path_length];
	struct node *node = &search->nodes[at];

	if (node->low == node->visit) {
		search->components++;
		do
			search->nodes[search->stack[--search->stack_height]].component = search->components;
		while (search->stack[search->stack_height] != at);
	}
	if (search->path_length) {
		struct node *before = &search->nodes[search->path[search->path_length - 1]];

		if (!node->component && node->low < before->low)
			before->low = node->low;
	}
}

static void follow(struct search *search, uint32_t first)
{
	enter(search, first);
	while (search->path_length) {
		struct node *node = &search->nodes[search->path[search->path_length - 1]];
		const struct node *to;

		if (node->next == node->end) {
			leave(search);
			continue;
		}
		to = &search->nodes[search->edges[node->next].to];
		if (!to->visit)
			enter(search, search->edges[node->next].to);
		else if (!to->component && to->visit < node->low)
			node->low = to->visit;
		node->next++;
	}
}

static size_t set_edges(struct node *nodes, struct knot_edge *edges, size_t count, uint64_t least_weight)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct knot_edge edge = edges[i];

		if (edge.weight < least_weight)
			continue;
		edges[i] = edges[kept];
		edges[kept++] = edge;
	}
	if (kept)
		qsort(edges, kept, sizeof(*edges), compare_edges);
	for (size_t i = kept; i--;) {
		struct node *node = &nodes[edges[i].from];

		node->next = i;
		node->end = node->end ?: i + 1;
		node->has_edge = true;
		nodes[edges[i].to].has_edge = true;
	}
	return kept;
}

int knots_find(struct knot_edge *edges, size_t edge_count, size_t node_count, uint64_t least_weight,
	       uint32_t *knots)
{
	struct search search = {
		.edges = edges,
		.nodes = calloc(node_count + 1, sizeof(*search.nodes)),
		.path = calloc(node_count + 1, sizeof(*search.path)),
		.stack = calloc(node_count + 1, sizeof(*search.stack)),
	};
	bool *is_left = calloc(node_count + 1, sizeof(*is_left)); /* by component: an edge leaves it */
	int err = search.nodes && search.path && search.stack && is_left ? 0 : -ENOMEM;
	size_t kept = err ? 0 : set_edges(search.nodes, edges, edge_count, least_weight);

	for (uint32_t i = 0; i < node_count && !err; i++) {
		if (!search.nodes[i].visit)
			follow(&search, i);
	}
	for (size_t i = 0; i < kept; i++) {
		uint32_t from = search.nodes[edges[i].from].component;

		is_left[from] |= from != search.nodes[edges[i].to].component;
	}
	for (size_t i = 0; i < node_count && !err; i++) {
		const struct node *node = &search.nodes[i];

		knots[i] = node->has_edge && !is_left[node->component] ? node->component : 0;
	}
	free(search.nodes);
	free(search.path);
	free(search.stack);
	free(is_left);
	return err;
}
