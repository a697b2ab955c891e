// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains by names: nodes that have the same ones are put together, and rows made of them, largest first. */
#include "analysis/chain_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* What tells rows apart. What a kind does not have is 0. */
struct named_key {
	uint64_t parent; /* an index in the nodes, SIZE_MAX of none, as is that of what is not known below */
	uint64_t kind;
	char comm[16];
	char before[16];
	uint64_t entered;
	uint64_t innermost;
	uint64_t caller;
	uint64_t kernel;
	uint64_t variable;
	uint32_t call; /* its bytes */
	uint32_t cut;
	uint8_t is_in_call;
	uint8_t resource;
	uint8_t descriptor;
	uint8_t resource_flags;
	uint16_t vector;
	uint8_t context;
	uint8_t signal;
};

struct named_node {
	struct named_key key;
	struct chain_row row;
	size_t at;   /* its row's place among the report's */
	size_t next; /* that of the next row below it */
};

struct maker {
	struct chain_report *report;
	struct distinct nodes; /* of struct named_node; parents first */
	uint32_t *named;       /* owned; by the tree's nodes: the index in nodes */
};

static struct named_node *node_at(const struct maker *maker, size_t index)
{
	return &((struct named_node *)maker->nodes.items)[index];
}

static struct chain_names find_names(struct chain_report *report, const struct places *places,
				     const struct wait_shape *shape)
{
	const struct wait_shape_key *key = &shape->key;
	const struct scaler_sample where = {
		.site = key->site, .kernel = key->kernel, .stack = key->stack, .kind = key->sample_kind
	};
	struct chain_names names = {
		.place = wait_place_find(report->profile, places, &where),
		.kernel = key->kernel ? places_find(places, key->kernel) : PLACE_NONE,
		.interrupt = waker_interrupt_name(&report->interrupts, key->context, key->vector),
		.resource = { .recorded = &shape->resource, .variable = PLACE_NONE },
	};

	if (key->variable)
		names.resource.variable = places_find(places, key->variable);
	if (shape->is_wait)
		names.resource.socket = resource_find_socket(&report->profile->sockets, &shape->resource);
	return names;
}

static int name_shapes(struct chain_report *report, const struct places *places)
{
	const struct distinct *shapes = &report->history.shapes;

	report->names = calloc(shapes->count + 1, sizeof(*report->names));
	for (size_t i = 0; i < shapes->count && report->names; i++)
		report->names[i] = find_names(report, places, wait_shape_get(shapes, (uint32_t)i));
	return report->names ? 0 : -ENOMEM;
}

static void set_place(struct named_key *key, const struct wait_shape_key *shape,
		      const struct chain_names *names)
{
	key->entered = names->place.path.entered;
	key->innermost = names->place.path.innermost;
	key->caller = names->place.path.caller;
	key->cut = names->place.path.cut;
	key->kernel = names->kernel;
	key->is_in_call = shape->is_in_call;
	memcpy(&key->call, &shape->call, sizeof(key->call));
}

static void set_interrupt(struct named_key *key, const struct wait_shape_key *shape)
{
	key->context = shape->context;
	key->vector = shape->vector;
}

static struct named_key make_key(const struct maker *maker, const struct chain_node_key *node)
{
	const struct wait_shape_key *shape =
		&wait_shape_get(&maker->report->history.shapes, node->shape)->key;
	const struct chain_names *names = &maker->report->names[node->shape];
	struct named_key key = {
		.parent = node->parent == CHAIN_NODE_NONE ? SIZE_MAX : maker->named[node->parent],
		.kind = node->kind,
	};

	switch ((enum chain_kind)node->kind) {
	case CHAIN_WAIT:
		key.resource = shape->resource;
		key.descriptor = shape->descriptor;
		key.resource_flags = shape->resource_flags;
		key.variable = names->resource.variable;
		/* fall through */
	case CHAIN_RUNNING:
		set_place(&key, shape, names);
		/* fall through */
	case CHAIN_CREATED:
	case CHAIN_RUNNABLE:
	case CHAIN_UNTRACED:
	case CHAIN_FLIGHT:
		memcpy(key.comm, shape->comm, sizeof(key.comm));
		memcpy(key.before, shape->before, sizeof(key.before));
		key.signal = shape->signal;
		break;
	case CHAIN_DEVICE:
	case CHAIN_INTERRUPT:
		set_interrupt(&key, shape);
		break;
	default:
		break;
	}
	return key;
}

/* Without figures. */
static struct chain_row begin_row(const struct chain_report *report, enum chain_kind kind, uint32_t number)
{
	const struct wait_shape *shape = wait_shape_get(&report->history.shapes, number);
	const struct chain_names *names = &report->names[number];

	return (struct chain_row){
		.kind = kind,
		.shape = shape,
		.place = names->place,
		.kernel = names->kernel,
		.resource = names->resource,
		.interrupt = names->interrupt,
		.least_timeout_ns = shape->least_timeout_ns,
		.most_timeout_ns = shape->most_timeout_ns,
	};
}

static void add_to_row(const struct maker *maker, const struct chain_node *node, struct chain_row *row)
{
	const struct wait_shape *shape = wait_shape_get(&maker->report->history.shapes, node->key.shape);

	row->has_several |= !wait_shape_is_same_thing(row->shape, shape);
	if (shape->least_timeout_ns < row->least_timeout_ns)
		row->least_timeout_ns = shape->least_timeout_ns;
	if (shape->most_timeout_ns > row->most_timeout_ns)
		row->most_timeout_ns = shape->most_timeout_ns;
	row->count += node->count;
	row->total_ns += node->total_ns;
	if (node->key.parent == CHAIN_NODE_NONE && node->longest_ns > row->longest_ns)
		row->longest = &maker->report->tree.examples[node->example];
	if (node->longest_ns > row->longest_ns)
		row->longest_ns = node->longest_ns;
}

/* Also counts, for each, how many stand below it. */
static int name_nodes(struct maker *maker)
{
	const struct chain_tree *tree = &maker->report->tree;

	maker->named = calloc(tree->nodes.count + 1, sizeof(*maker->named));
	if (!maker->named)
		return -ENOMEM;
	for (size_t i = 0; i < tree->nodes.count; i++) {
		const struct chain_node *node = &chain_tree_nodes(tree)[i];
		const struct named_key key = make_key(maker, &node->key);
		size_t index = distinct_add(&maker->nodes, &key, sizeof(key), sizeof(struct named_node));

		if (index == SIZE_MAX)
			return -ENOMEM;
		maker->named[i] = (uint32_t)index;
		if (!node_at(maker, index)->row.shape)
			node_at(maker, index)->row =
				begin_row(maker->report, node->key.kind, node->key.shape);
		add_to_row(maker, node, &node_at(maker, index)->row);
	}
	for (size_t i = maker->nodes.count; i--;) {
		const struct named_node *node = node_at(maker, i);

		if (node->key.parent != SIZE_MAX)
			node_at(maker, node->key.parent)->row.below += node->row.below + 1;
	}
	return 0;
}

/* Children of one parent together, largest first; the order of names decides nothing but ties. */
static int compare_nodes(const void *left, const void *right, void *data)
{
	const struct maker *maker = data;
	const struct named_node *a = node_at(maker, *(const uint32_t *)left);
	const struct named_node *b = node_at(maker, *(const uint32_t *)right);

	/* Parents come before what is below them: that of none, SIZE_MAX, is made the least. */
	return array_order(a->key.parent + 1, b->key.parent + 1)     ?:
		       array_order(b->row.total_ns, a->row.total_ns) ?:
		       array_order(b->row.count, a->row.count)       ?:
		       array_order(a->key.kind, b->key.kind)         ?:
		       memcmp(a->key.comm, b->key.comm, sizeof(a->key.comm));
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

		row->depth = above->depth + 1;
		row->whole_ns = above->whole_ns;
		parent->next += row->below + 1;
	} else {
		row->whole_ns = row->total_ns;
		report->top_count++;
		report->total_ns += row->total_ns;
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

static int fill_history(const struct profile *profile, struct wait_history *history)
{
	uint64_t start_ns = profile->window.start_ns;
	int err = 0;

	history->wall_clock_ns = profile->wall_clock_ns;
	for (size_t i = 0; i < profile->thread_count && !err; i++) {
		const struct scaler_thread *thread = &profile->threads[i];

		err = wait_history_add_thread(history, thread->serial,
					      thread->start_ns > start_ns ? thread->start_ns : start_ns);
	}
	for (size_t i = 0; i < profile->blocking.count && !err; i++)
		err = wait_history_add(history, &profile->blocking.items[i]);
	return err;
}

static int add_wait(const struct profile *profile, const struct blocking_row *row,
		    struct chain_report *report)
{
	const struct scaler_blocking_interval *interval = row->interval;
	const struct scaler_window *window = &profile->window;
	uint64_t from_ns = interval->start_ns, to_ns;
	const struct off_cpu *wait;

	if (row->is_all_the_time)
		return 0;
	wait = wait_history_get(&report->history, interval->where.task, from_ns);
	to_ns = wait->woken_ns < window->end_ns ? wait->woken_ns : window->end_ns;
	from_ns = from_ns > window->start_ns ? from_ns : window->start_ns;
	return chain_tree_add(&report->tree, &report->history, interval->where.task, wait, from_ns, to_ns);
}

int chain_report_make(struct profile *profile, const struct places *places,
		      const struct blocking_report *blocking, struct chain_report *report)
{
	struct maker maker = { .report = report };
	int err;

	*report = (struct chain_report){ .profile = profile };
	err = fill_history(profile, &report->history);
	for (size_t i = 0; i < blocking->row_count && !err; i++)
		err = add_wait(profile, &blocking->rows[i], report);
	err = err ?: name_shapes(report, places) ?: name_nodes(&maker) ?: place_rows(&maker);
	free(maker.named);
	distinct_clear(&maker.nodes);
	return err;
}

struct chain_row chain_report_segment(const struct chain_report *report, const struct chain_segment *segment)
{
	return begin_row(report, segment->kind, segment->shape);
}

static int compare_serials(const void *left, const void *right)
{
	const struct scaler_thread *a = left, *b = right;

	return array_order(a->serial, b->serial);
}

const struct scaler_thread *chain_report_thread(const struct chain_report *report, uint32_t task)
{
	const struct scaler_thread key = { .serial = task };
	const struct profile *profile = report->profile;

	return profile->thread_count ?
		       bsearch(&key, profile->threads, profile->thread_count, sizeof(key), compare_serials) :
		       NULL;
}

void chain_report_clear(struct chain_report *report)
{
	chain_tree_clear(&report->tree);
	wait_history_clear(&report->history);
	interrupt_names_clear(&report->interrupts);
	free(report->rows);
	free(report->names);
	*report = (struct chain_report){ 0 };
}
