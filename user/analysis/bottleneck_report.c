// SPDX-License-Identifier: GPL-2.0-only
/* Bottlenecks: the nodes of the wait-for chains as edges between groups of threads and root causes. */
#include "analysis/bottleneck_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/knots.h"
#include "analysis/name_group.h"
#include "base/array.h"

struct group_key {
	uint64_t kind;
	char name[16];
	uint16_t vector;
	uint8_t context;
	uint8_t zero;
	uint32_t disk;
};

struct group {
	struct group_key key;
	struct bottleneck_group group;
};

struct row_key {
	uint64_t waiter;
	uint64_t ender;
	struct chain_what_key what;
};

struct row {
	struct row_key key;
	struct bottleneck_row row;
};

struct maker {
	const struct wait_graph *graph;
	const struct chain_tree *tree;
	struct distinct groups; /* of struct group */
	struct distinct rows;   /* of struct row */
	uint64_t total_ns;
};

static struct bottleneck_group *group_at(const struct maker *maker, size_t index)
{
	return &((struct group *)maker->groups.items)[index].group;
}

/* SIZE_MAX: there is no memory. */
static size_t add_group(struct maker *maker, enum chain_kind kind, uint32_t shape)
{
	const struct wait_shape_key *named = &wait_shape_get(&maker->graph->history->shapes, shape)->key;
	struct group_key key = { .kind = kind };
	struct bottleneck_group *group;
	size_t index;

	if (kind == CHAIN_WAIT || kind == CHAIN_UNTRACED) {
		memcpy(key.name, named->comm, sizeof(key.name));
		name_group_merge(key.name);
	} else if (kind == CHAIN_DEVICE && named->disk) {
		key.disk = named->disk;
	} else if (kind == CHAIN_DEVICE || kind == CHAIN_INTERRUPT) {
		key.context = named->origin;
		key.vector = named->vector;
	}
	index = distinct_add(&maker->groups, &key, sizeof(key), sizeof(struct group));
	if (index == SIZE_MAX)
		return index;
	group = group_at(maker, index);
	group->kind = kind;
	memcpy(group->name, key.name, sizeof(group->name));
	if (key.disk || key.context) {
		group->disk = maker->graph->names[shape].disk;
		group->interrupt = maker->graph->names[shape].interrupt;
	}
	return index;
}

/* The waits are a node of the tree, of which so much was ended by the other group. */
static int add_row(struct maker *maker, const struct chain_node *waits, size_t waiter, size_t ender,
		   uint64_t weight_ns)
{
	struct row_key key = {
		.waiter = waiter,
		.ender = ender,
		.what = chain_what_key_of(maker->graph, waits->key.kind, waits->key.shape),
	};
	struct bottleneck_row *row;
	size_t index;

	memcpy(key.what.comm, group_at(maker, waiter)->name, sizeof(key.what.comm));
	name_group_merge(key.what.cpu_holder);
	index = distinct_add(&maker->rows, &key, sizeof(key), sizeof(struct row));
	if (index == SIZE_MAX)
		return -ENOMEM;
	row = &((struct row *)maker->rows.items)[index].row;
	if (!row->what.shape)
		row->what = chain_what_of(maker->graph, waits->key.kind, waits->key.shape);
	chain_what_add(&row->what, maker->graph, waits->key.shape);
	row->waiter = waiter;
	row->ender = ender;
	row->weight_ns += weight_ns;
	row->own_ns += waits->key.parent == CHAIN_NODE_NONE ? weight_ns : 0;
	group_at(maker, waiter)->waits_ns += weight_ns;
	group_at(maker, ender)->awaited_ns += weight_ns;
	return 0;
}

/* What explains some of the waits: time of threads of another group, or of a root cause. */
static int add_cause(struct maker *maker, const struct chain_node *waits, const struct chain_node *cause)
{
	uint64_t weight_ns = cause->total_ns - cause->idle_ns;
	bool is_of_threads = chain_kind_is_own(cause->key.kind);
	size_t waiter = add_group(maker, CHAIN_WAIT, waits->key.shape);
	size_t ender = add_group(maker, is_of_threads ? CHAIN_WAIT : cause->key.kind, cause->key.shape);
	size_t root = ender;
	int err;

	if (waiter == SIZE_MAX || ender == SIZE_MAX)
		return -ENOMEM;
	err = add_row(maker, waits, waiter, ender, weight_ns);
	if (!err && chain_kind_is_delay(cause->key.kind)) {
		root = add_group(maker, cause->key.kind, cause->key.shape);
		err = root == SIZE_MAX ? -ENOMEM : add_row(maker, cause, ender, root, weight_ns);
	}
	if (err || chain_kind_is_explained(cause->key.kind))
		return err;
	group_at(maker, root)->root_ns += weight_ns;
	maker->total_ns += weight_ns;
	return 0;
}

/* Threads that waited for a CPU, whatever they had done before. */
static int add_delay(struct maker *maker, const struct chain_node *delay)
{
	size_t waiter = add_group(maker, CHAIN_WAIT, delay->key.shape);
	size_t cpus = add_group(maker, delay->key.kind, delay->key.shape);

	if (waiter == SIZE_MAX || cpus == SIZE_MAX)
		return -ENOMEM;
	group_at(maker, cpus)->root_ns += delay->total_ns;
	maker->total_ns += delay->total_ns;
	return add_row(maker, delay, waiter, cpus, delay->total_ns);
}

/* Idle time alone makes no edge. */
static int add_causes(struct maker *maker)
{
	const struct chain_node *nodes = chain_tree_nodes(maker->tree);
	int err = 0;

	for (size_t i = 0; i < maker->tree->nodes.count && !err; i++) {
		const struct chain_node *node = &nodes[i];

		if (node->is_left_out || node->total_ns == node->idle_ns)
			continue;
		if (node->key.parent != CHAIN_NODE_NONE)
			err = add_cause(maker, &nodes[node->key.parent], node);
		else if (chain_kind_is_delay(node->key.kind))
			err = add_delay(maker, node);
	}
	return err;
}

static uint64_t heaviest_ns(const struct knot_edge *edges, size_t count)
{
	uint64_t heaviest = 0;

	for (size_t i = 0; i < count; i++)
		heaviest = edges[i].weight > heaviest ? edges[i].weight : heaviest;
	return heaviest;
}

/* Rows between the same groups are one edge. */
static int find_knots(struct maker *maker)
{
	struct edge {
		uint64_t key[2];
		struct knot_edge edge;
	};
	const struct row *rows = maker->rows.items;
	uint32_t *knots = calloc(maker->groups.count + 1, sizeof(*knots));
	struct knot_edge *edges = calloc(maker->rows.count + 1, sizeof(*edges));
	struct distinct sums = { 0 };
	int err = knots && edges ? 0 : -ENOMEM;

	for (size_t i = 0; i < maker->rows.count && !err; i++) {
		const struct bottleneck_row *row = &rows[i].row;
		const uint64_t key[2] = { row->waiter, row->ender };
		size_t index = distinct_add(&sums, key, sizeof(key), sizeof(struct edge));

		if (index == SIZE_MAX) {
			err = -ENOMEM;
			break;
		}
		edges[index].from = (uint32_t)row->waiter;
		edges[index].to = (uint32_t)row->ender;
		edges[index].weight += row->weight_ns;
	}
	err = err   ?:
		      knots_find(edges, sums.count, maker->groups.count,
				 heaviest_ns(edges, sums.count) / 100 * BOTTLENECK_LEAST_PERCENT, knots);
	for (size_t i = 0; i < maker->groups.count && !err; i++)
		group_at(maker, i)->knot = knots[i];
	distinct_clear(&sums);
	free(edges);
	free(knots);
	return err;
}

static int compare_groups(const void *left, const void *right, void *data)
{
	const struct maker *maker = data;
	const struct group *groups = maker->groups.items;
	const struct group *a = &groups[*(const uint32_t *)left], *b = &groups[*(const uint32_t *)right];

	return array_order(b->group.root_ns, a->group.root_ns)               ?:
		       array_order(b->group.awaited_ns, a->group.awaited_ns) ?:
		       memcmp(&a->key, &b->key, sizeof(a->key));
}

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	return array_order(b->row.weight_ns, a->row.weight_ns) ?: memcmp(&a->key, &b->key, sizeof(a->key));
}

/* By the order of the groups, from 1 on. */
static int number_knots(struct bottleneck_report *report)
{
	uint32_t *numbers = calloc(report->group_count + 1, sizeof(*numbers)), count = 0;

	for (size_t i = 0; i < report->group_count && numbers; i++) {
		uint32_t *knot = &report->groups[i].knot;

		if (*knot && !numbers[*knot])
			numbers[*knot] = ++count;
		*knot = numbers[*knot];
	}
	free(numbers);
	return numbers ? 0 : -ENOMEM;
}

static void place_rows(const struct maker *maker, const uint32_t *order, const size_t *places,
		       struct bottleneck_report *report)
{
	struct row *rows = maker->rows.items;

	for (size_t i = 0; i < maker->groups.count; i++)
		report->groups[i] = *group_at(maker, order[i]);
	report->group_count = maker->groups.count;
	if (maker->rows.count)
		qsort(rows, maker->rows.count, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < maker->rows.count; i++) {
		report->rows[i] = rows[i].row;
		report->rows[i].waiter = places[rows[i].row.waiter];
		report->rows[i].ender = places[rows[i].row.ender];
	}
	report->row_count = maker->rows.count;
	report->total_ns = maker->total_ns;
}

static int make_rows(struct maker *maker, struct bottleneck_report *report)
{
	size_t count = maker->groups.count;
	uint32_t *order = calloc(count + 1, sizeof(*order));
	size_t *places = calloc(count + 1, sizeof(*places)); /* where each group is in the report */
	int err = -ENOMEM;

	report->groups = calloc(count + 1, sizeof(*report->groups));
	report->rows = calloc(maker->rows.count + 1, sizeof(*report->rows));
	if (order && places && report->groups && report->rows) {
		for (size_t i = 0; i < count; i++)
			order[i] = (uint32_t)i;
		qsort_r(order, count, sizeof(*order), compare_groups, maker);
		for (size_t i = 0; i < count; i++)
			places[order[i]] = i;
		place_rows(maker, order, places, report);
		err = number_knots(report);
	}
	free(order);
	free(places);
	return err;
}

int bottleneck_report_make(const struct wait_graph *graph, const struct chain_tree *tree,
			   struct bottleneck_report *report)
{
	struct maker maker = { .graph = graph, .tree = tree };
	int err;

	*report = (struct bottleneck_report){ 0 };
	err = add_causes(&maker) ?: find_knots(&maker) ?: make_rows(&maker, report);
	distinct_clear(&maker.groups);
	distinct_clear(&maker.rows);
	return err;
}

void bottleneck_report_clear(struct bottleneck_report *report)
{
	free(report->groups);
	free(report->rows);
	*report = (struct bottleneck_report){ 0 };
}
