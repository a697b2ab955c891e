// SPDX-License-Identifier: GPL-2.0-only
/* The recording's system calls by who led to them. */
#include "analysis/call_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static int compare_serials(const void *left, const void *right)
{
	const struct scaler_thread *a = left, *b = right;

	return (a->serial > b->serial) - (a->serial < b->serial);
}

/* The node of the calls of threads with that name; 0: no memory. */
static size_t get_threads(struct call_tree *tree, const struct profile *profile, uint32_t serial)
{
	const struct scaler_thread key = { .serial = serial };
	const struct scaler_thread *thread =
		bsearch(&key, profile->threads, profile->thread_count, sizeof(key), compare_serials);

	return get_child(
		tree, 0,
		(struct call_tree_node){ .kind = CALL_TREE_THREADS, .name = thread ? thread->comm : "" });
}

static size_t get_function(struct call_tree *tree, size_t parent, const struct places *places, uint64_t site)
{
	return get_child(
		tree, parent,
		(struct call_tree_node){ .kind = CALL_TREE_FUNCTION, .value = places_find(places, site) });
}

/* The node of the innermost function that has led to a call; 0: no memory. */
static size_t get_stack(struct call_tree *tree, size_t node, struct profile *profile,
			const struct places *places, const struct scaler_call_key *call)
{
	const struct stack *stack = stacks_find(&profile->stacks, call->stack);
	enum scaler_stack_end end = stack ? stack->end : SCALER_STACK_GOES_ON;

	if (end != SCALER_STACK_COMPLETE && end != SCALER_STACK_AS_ASKED)
		node = get_child(tree, node, (struct call_tree_node){ .kind = CALL_TREE_CUT, .value = end });
	if (!stack || !stack->count)
		return node ? get_function(tree, node, places, call->site) : 0;
	for (size_t i = stack->count; i-- && node;)
		node = get_function(tree, node, places, profile->stacks.sites[stack->first + i]);
	return node;
}

static int add_call(struct call_tree *tree, struct profile *profile, const struct places *places,
		    const struct profile_call *call)
{
	const struct scaler_call_id *id = &call->key.id;
	size_t node = get_threads(tree, profile, call->key.task);

	if (node)
		node = get_stack(tree, node, profile, places, &call->key);
	if (node)
		node = get_child(tree, node,
				 (struct call_tree_node){ .kind = CALL_TREE_CALL,
							  .value = call_tree_call(id->abi, id->number) });
	if (!node)
		return -ENOMEM;
	for (; node; node = tree->nodes[node].parent)
		time_figures_add_call(&tree->nodes[node].figures, call);
	time_figures_add_call(&tree->nodes[0].figures, call);
	return 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
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
		return compare(b->kind, a->kind);
	switch (a->kind) {
	case CALL_TREE_THREADS:
		return strcmp(a->name, b->name);
	case CALL_TREE_FUNCTION:
		return places_compare_names(places, a->value, b->value);
	case CALL_TREE_CALL:
		return compare_call_names(a->value, b->value);
	default:
		return compare(a->value, b->value);
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
		result = compare(time_figures_value(&b->figures, order->sort),
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

int call_tree_make(struct profile *profile, const struct places *places, const struct thread_summary *threads,
		   enum sort_key sort, struct call_tree *tree)
{
	int err = 0;

	*tree = (struct call_tree){ .nodes = calloc(1, sizeof(*tree->nodes)), .count = 1, .capacity = 1 };
	if (!tree->nodes)
		return -ENOMEM;
	for (size_t i = 0; i < profile->call_count && !err; i++)
		err = add_call(tree, profile, places, &profile->calls[i]);
	tree->total = tree->nodes[0].figures;
	tree->outside = time_figures_outside(&threads->total, &tree->total);
	time_figures_add(&tree->total, &tree->outside);
	return err ?: sort_tree(tree, places, sort);
}

void call_tree_clear(struct call_tree *tree)
{
	free(tree->nodes);
	*tree = (struct call_tree){ 0 };
}
