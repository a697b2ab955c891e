// SPDX-License-Identifier: GPL-2.0-only
/* The tree of calls as JSON. */
#include "render/json_tree.h"

#include "model/syscalls.h"
#include "render/json_figures.h"
#include "render/json_place.h"
#include "render/json_values.h"

static json_t *tree_node_name(const struct call_tree_node *node)
{
	char name[SYSCALL_NAME_SIZE];

	switch (node->kind) {
	case CALL_TREE_THREADS:
		return json_name(node->name);
	case CALL_TREE_CUT:
		return json_string(stack_end_text((enum scaler_stack_end)node->value));
	case CALL_TREE_CALL:
		return json_string(
			syscall_format(call_tree_abi(node->value), call_tree_number(node->value), name));
	default:
		return json_null();
	}
}

/* sampled and children are taken over. */
static json_t *tree_node_object(const struct call_tree_node *node, const struct places *places,
				json_t *sampled, json_t *children)
{
	static const char *const kinds[] = { [CALL_TREE_ROOT] = "outside", [CALL_TREE_THREADS] = "threads",
					     [CALL_TREE_CUT] = "cut",      [CALL_TREE_FUNCTION] = "function",
					     [CALL_TREE_CALL] = "syscall", [CALL_TREE_RUNNING] = "running" };
	const struct time_figures *figures = &node->figures;

	return json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", kinds[node->kind], "name",
		tree_node_name(node), "function",
		json_place(places, node->kind == CALL_TREE_FUNCTION ? node->value : PLACE_NONE), "calls",
		json_number(figures->calls), "errors", json_number(figures->errors), "total_ns",
		json_number(figures->total_ns), "running_ns", json_number(figures->time_ns[SCALER_RUNNING]),
		"runnable_ns", json_number(figures->time_ns[SCALER_RUNNABLE]), "blocked_ns",
		json_number(figures->time_ns[SCALER_BLOCKED]), "sampled", sampled, "children", children);
}

/* Of the node; recursive as the tree is, which is no deeper than a stack is walked. */
static json_t *tree_children_array(const struct report *report, size_t parent)
{
	const struct call_tree_node *nodes = report->tree.nodes;
	json_t *array = json_array();

	for (size_t child = nodes[parent].first_child; child; child = nodes[child].next_sibling) {
		json_t *children = tree_children_array(report, child);

		if (json_append(array, tree_node_object(&nodes[child], report->places,
							json_sampled(&report->outside, &nodes[child].figures),
							children))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *json_call_tree(const struct report *report)
{
	const struct call_tree_node outside = { .kind = CALL_TREE_ROOT, .figures = report->tree.outside };
	json_t *array = tree_children_array(report, 0);

	if (!json_append(array, tree_node_object(&outside, report->places, json_null(), json_array())))
		return array;
	json_decref(array);
	return NULL;
}
