// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains by names: nodes that have the same ones are put together, and rows made of them, largest first. */
#include "analysis/chain_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/idle.h"
#include "base/array.h"

/* What tells rows apart. */
struct named_key {
	uint64_t parent; /* an index in the nodes, SIZE_MAX of none */
	struct chain_what_key what;
};

struct named_node {
	struct named_key key;
	struct chain_row row;
	size_t at;   /* its row's place among the report's */
	size_t next; /* that of the next row below it */
};

#define NOT_NAMED UINT32_MAX

struct maker {
	const struct wait_graph *graph;
	const struct report_options *options;
	struct chain_report *report;
	struct distinct nodes; /* of struct named_node; parents first */
	uint32_t *named; /* owned; by the tree's nodes: the index in nodes; NOT_NAMED: it is not shown */
};

static struct named_node *node_at(const struct maker *maker, size_t index)
{
	return &((struct named_node *)maker->nodes.items)[index];
}

static struct named_key make_key(const struct maker *maker, const struct chain_node_key *node)
{
	return (struct named_key){
		.parent = node->parent == CHAIN_NODE_NONE ? SIZE_MAX : maker->named[node->parent],
		.what = chain_what_key_of(maker->graph, node->kind, node->shape),
	};
}

static void add_to_row(const struct maker *maker, const struct chain_node *node, struct chain_row *row)
{
	chain_what_add(&row->what, maker->graph, node->key.shape);
	row->count += node->count;
	row->total_ns += node->total_ns;
	row->idle_ns += node->idle_ns;
	if (node->key.parent == CHAIN_NODE_NONE && node->longest_ns > row->longest_ns)
		row->longest = &maker->report->tree->examples[node->example];
	if (node->longest_ns > row->longest_ns)
		row->longest_ns = node->longest_ns;
}

static bool is_shown(const struct maker *maker, const struct chain_node *node)
{
	uint32_t parent = node->key.parent;

	if (node->is_left_out)
		return false;
	if (parent == CHAIN_NODE_NONE)
		return true;
	if (maker->named[parent] == NOT_NAMED)
		return false;
	return report_shows_depth(maker->options, node_at(maker, maker->named[parent])->row.depth + 1);
}

/* SIZE_MAX: there is no memory. */
static size_t add_node(struct maker *maker, const struct chain_node *node)
{
	const struct named_key key = make_key(maker, &node->key);
	size_t index = distinct_add(&maker->nodes, &key, sizeof(key), sizeof(struct named_node));
	struct chain_row *row;

	if (index == SIZE_MAX)
		return index;
	row = &node_at(maker, index)->row;
	if (!row->count)
		row->what = chain_what_of(maker->graph, node->key.kind, node->key.shape);
	row->depth = key.parent == SIZE_MAX ? 0 : node_at(maker, key.parent)->row.depth + 1;
	add_to_row(maker, node, row);
	return index;
}

/* Also counts, for each, how many stand below it. */
static int name_nodes(struct maker *maker)
{
	const struct chain_tree *tree = maker->report->tree;

	maker->named = calloc(tree->nodes.count + 1, sizeof(*maker->named));
	if (!maker->named)
		return -ENOMEM;
	for (size_t i = 0; i < tree->nodes.count; i++) {
		const struct chain_node *node = &chain_tree_nodes(tree)[i];
		size_t index = is_shown(maker, node) ? add_node(maker, node) : NOT_NAMED;

		if (index == SIZE_MAX)
			return -ENOMEM;
		maker->named[i] = (uint32_t)index;
	}
	for (size_t i = maker->nodes.count; i--;) {
		const struct named_node *node = node_at(maker, i);

		if (node->key.parent != SIZE_MAX)
			node_at(maker, node->key.parent)->row.below += node->row.below + 1;
	}
	return 0;
}

static uint64_t delaying_ns(const struct named_node *node)
{
	return node->row.total_ns - node->row.idle_ns;
}

/* Children of one parent together, largest first; the order of names decides nothing but ties. */
static int compare_nodes(const void *left, const void *right, void *data)
{
	const struct maker *maker = data;
	const struct named_node *a = node_at(maker, *(const uint32_t *)left);
	const struct named_node *b = node_at(maker, *(const uint32_t *)right);

	/* Parents come before what is below them: that of none, SIZE_MAX, is made the least. */
	return array_order(a->key.parent + 1, b->key.parent + 1)       ?:
		       array_order(delaying_ns(b), delaying_ns(a))     ?:
		       array_order(b->row.total_ns, a->row.total_ns)   ?:
		       array_order(b->row.count, a->row.count)         ?:
		       array_order(a->key.what.kind, b->key.what.kind) ?:
		       memcmp(a->key.what.comm, b->key.what.comm, sizeof(a->key.what.comm));
}

static uint32_t *sort_nodes(struct maker *maker)
{
	uint32_t *order = calloc(maker->nodes.count + 1, sizeof(*order));

	for (size_t i = 0; i < maker->nodes.count && order; i++)
		order[i] = (uint32_t)i;
	if (order)
		qsort_r(order, maker->nodes.count, sizeof(*order), compare_nodes, maker);
	return order;
}

/* Where the next row below each node belongs is known since the node has its own. */
static void place_row(struct maker *maker, struct named_node *node, size_t *next_top)
{
	struct chain_report *report = maker->report;
	struct named_node *parent = node->key.parent == SIZE_MAX ? NULL : node_at(maker, node->key.parent);
	size_t at = parent ? parent->next : *next_top;
	struct chain_row *row = &report->rows[at];

	*row = node->row;
	node->next = at + 1;
	if (parent) {
		const struct chain_row *above = &report->rows[parent->at];

		row->whole_ns = above->whole_ns;
		parent->next += row->below + 1;
	} else {
		row->whole_ns = row->total_ns;
		report->top_count++;
		report->total_ns += row->total_ns;
		report->idle_ns += row->idle_ns;
		report->count += row->count;
		*next_top += row->below + 1;
	}
	node->at = at;
}

static int place_rows(struct maker *maker)
{
	struct chain_report *report = maker->report;
	uint32_t *order = sort_nodes(maker);
	size_t next_top = 0;

	report->rows = calloc(maker->nodes.count + 1, sizeof(*report->rows));
	if (!order || !report->rows) {
		free(order);
		return -ENOMEM;
	}
	for (size_t i = 0; i < maker->nodes.count; i++)
		place_row(maker, node_at(maker, order[i]), &next_top);
	report->row_count = maker->nodes.count;
	free(order);
	return 0;
}

int chain_report_make(const struct wait_graph *graph, struct chain_tree *tree,
		      const struct report_options *options, struct chain_report *report)
{
	struct maker maker = { .graph = graph, .report = report, .options = options };
	int err;

	*report = (struct chain_report){ .tree = tree };
	if (!options->counts_idle)
		idle_find(graph, tree);
	err = name_nodes(&maker) ?: place_rows(&maker);
	free(maker.named);
	distinct_clear(&maker.nodes);
	return err;
}

void chain_report_clear(struct chain_report *report)
{
	free(report->rows);
	*report = (struct chain_report){ 0 };
}
