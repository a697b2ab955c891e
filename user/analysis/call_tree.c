// SPDX-License-Identifier: GPL-2.0-only
/* The threads' time by who led to it. */
#include "analysis/call_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/frames.h"
#include "base/array.h"

#define ABI_SHIFT 32

size_t call_tree_call(enum scaler_abi abi, unsigned int number)
{
	return (size_t)abi << ABI_SHIFT | number;
}

enum scaler_abi call_tree_abi(size_t value)
{
	return (enum scaler_abi)(value >> ABI_SHIFT);
}

unsigned int call_tree_number(size_t value)
{
	return (unsigned int)value;
}

static int is_node(const struct call_tree_node *node, const struct call_tree_node *wanted)
{
	if (node->kind != wanted->kind || node->value != wanted->value)
		return 0;
	return node->kind != CALL_TREE_THREADS || !strcmp(node->name, wanted->name);
}

/* The child of a node, added if it is new; 0: no memory. */
static size_t get_child(struct call_tree *tree, size_t parent, struct call_tree_node wanted)
{
	struct call_tree_node *nodes;
	size_t child;

	for (child = tree->nodes[parent].first_child; child; child = tree->nodes[child].next_sibling) {
		if (is_node(&tree->nodes[child], &wanted))
			return child;
	}
	nodes = array_reserve(tree->nodes, tree->count, &tree->capacity, sizeof(*nodes));
	if (!nodes)
		return 0;
	tree->nodes = nodes;
	wanted.parent = parent;
	wanted.next_sibling = nodes[parent].first_child;
	nodes[parent].first_child = tree->count;
	nodes[tree->count] = wanted;
	return tree->count++;
}

/* The node of all threads with that name; 0: no memory. */
static size_t get_threads(struct call_tree *tree, const struct profile *profile, uint32_t serial)
{
	const struct scaler_thread *thread = profile_find_thread(profile, serial);
	const struct profile_group *group = profile_find_group(profile, serial);

	return get_child(tree, 0,
			 (struct call_tree_node){
				 .kind = CALL_TREE_THREADS,
				 .name = thread ? thread->comm :
					 group  ? group->comm :
						  "",
			 });
}

static size_t get_function(struct call_tree *tree, size_t parent, size_t place)
{
	return get_child(tree, parent, (struct call_tree_node){ .kind = CALL_TREE_FUNCTION, .value = place });
}

/* The node of a thread's innermost frame; 0: no memory. */
static size_t get_innermost(struct call_tree *tree, const struct profile *profile, uint32_t serial,
			    const struct frames *frames)
{
	size_t node = get_threads(tree, profile, serial);

	if (node && !frames_are_whole(frames))
		node = get_child(tree, node,
				 (struct call_tree_node){ .kind = CALL_TREE_CUT, .value = frames->end });
	for (size_t i = frames->count; i-- && node;)
		node = get_function(tree, node, frames_place(frames, i));
	return node;
}

/* Of all nodes from the leaf up to the root. */
static void add_figures(struct call_tree *tree, size_t leaf, const struct time_figures *figures)
{
	for (size_t node = leaf; node; node = tree->nodes[node].parent)
		time_figures_add(&tree->nodes[node].figures, figures);
	time_figures_add(&tree->nodes[0].figures, figures);
}

static int add_call(struct call_tree *tree, struct profile *profile, const struct places *places,
		    const struct profile_call *call)
{
	const struct scaler_call_id *id = &call->key.id;
	struct frames frames = frames_of_call(profile, places, &call->key);
	size_t node = get_innermost(tree, profile, call->key.task, &frames);
	struct time_figures figures = { 0 };

	if (node)
		node = get_child(tree, node,
				 (struct call_tree_node){ .kind = CALL_TREE_CALL,
							  .value = call_tree_call(id->abi, id->number) });
	if (!node)
		return -ENOMEM;
	time_figures_add_call(&figures, call);
	add_figures(tree, node, &figures);
	return 0;
}

static int add_samples(struct call_tree *tree, struct profile *profile, const struct places *places,
		       const struct outside_row *row)
{
	const struct scaler_sample *sample = row->sample;
	struct frames frames = frames_of_sample(profile, places, sample);
	struct time_figures figures = { 0 };
	size_t node, kernel;

	if (!frames.count)
		return 0;
	node = get_innermost(tree, profile, sample->task, &frames);
	kernel = sample->kernel ? places_find(places, sample->kernel) : PLACE_NONE;
	if (node && kernel != PLACE_NONE && frames_place(&frames, 0) != kernel)
		node = get_function(tree, node, kernel);
	if (node)
		node = get_child(tree, node, (struct call_tree_node){ .kind = CALL_TREE_RUNNING });
	if (!node)
		return -ENOMEM;
	time_figures_add_samples(&figures, row->samples, row->running_ns);
	add_figures(tree, node, &figures);
	return 0;
}

static int compare_call_names(size_t left, size_t right)
{
	char a[SYSCALL_NAME_SIZE], b[SYSCALL_NAME_SIZE];

	return strcmp(syscall_format(call_tree_abi(left), call_tree_number(left), a),
		      syscall_format(call_tree_abi(right), call_tree_number(right), b));
}

/* What is known less comes later; then by name. */
static int compare_names(const struct places *places, const struct call_tree_node *a,
			 const struct call_tree_node *b)
{
	if (a->kind != b->kind)
		return array_order(b->kind, a->kind);
	switch (a->kind) {
	case CALL_TREE_THREADS:
		return strcmp(a->name, b->name);
	case CALL_TREE_FUNCTION:
		return places_compare_names(places, a->value, b->value);
	case CALL_TREE_CALL:
		return compare_call_names(a->value, b->value);
	default:
		return array_order(a->value, b->value);
	}
}

struct sibling_order {
	const struct call_tree_node *nodes;
	const struct places *places;
	enum sort_key sort;
};

static int compare_siblings(const void *left, const void *right, void *data)
{
	const struct sibling_order *order = data;
	const struct call_tree_node *a = &order->nodes[*(const size_t *)left];
	const struct call_tree_node *b = &order->nodes[*(const size_t *)right];
	int result = 0;

	if (order->sort != SORT_NAME)
		result = array_order(time_figures_value(&b->figures, order->sort),
				     time_figures_value(&a->figures, order->sort));
	return result ?: compare_names(order->places, a, b);
}

/* The children are at most as many as fit. */
static void sort_children(struct call_tree *tree, struct sibling_order *order, size_t parent,
			  size_t *children)
{
	size_t count = 0, next = 0;

	for (size_t child = tree->nodes[parent].first_child; child; child = tree->nodes[child].next_sibling)
		children[count++] = child;
	qsort_r(children, count, sizeof(*children), compare_siblings, order);
	while (count--) {
		tree->nodes[children[count]].next_sibling = next;
		next = children[count];
	}
	tree->nodes[parent].first_child = next;
}

static int sort_tree(struct call_tree *tree, const struct places *places, enum sort_key sort)
{
	struct sibling_order order = { tree->nodes, places, sort };
	size_t *children = calloc(tree->count, sizeof(*children));

	if (!children)
		return -ENOMEM;
	for (size_t parent = 0; parent < tree->count; parent++)
		sort_children(tree, &order, parent, children);
	free(children);
	return 0;
}

int call_tree_make(struct profile *profile, const struct places *places, const struct outside *outside,
		   enum sort_key sort, struct call_tree *tree)
{
	int err = 0;

	*tree = (struct call_tree){ .nodes = calloc(1, sizeof(*tree->nodes)), .count = 1, .capacity = 1 };
	if (!tree->nodes)
		return -ENOMEM;
	for (size_t i = 0; i < profile->call_count && !err; i++)
		err = add_call(tree, profile, places, &profile->calls[i]);
	for (size_t i = 0; i < outside->row_count && !err; i++)
		err = add_samples(tree, profile, places, &outside->rows[i]);
	tree->total = tree->nodes[0].figures;
	tree->outside = outside_rest(outside, &tree->total);
	time_figures_add(&tree->total, &tree->outside);
	return err ?: sort_tree(tree, places, sort);
}

void call_tree_clear(struct call_tree *tree)
{
	free(tree->nodes);
	*tree = (struct call_tree){ 0 };
}
