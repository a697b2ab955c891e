// SPDX-License-Identifier: GPL-2.0-only
/* The call tree, as text: the ways to its largest leaves, and on each level the sum of the others. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "model/profile.h"

/* Of a branch's first line, of its others and of those below it; the same for a parent's last branch. */
#define BRANCH      "|- "
#define BELOW       "|  "
#define LAST_BRANCH "`- "
#define LAST_BELOW  "   "
#define INDENT_SIZE (sizeof(BRANCH) - 1)

/* The threads' name, why a stack is cut, the functions, a sample's own and the kernel's, the leaf. */
#define LEVELS_MAX (SCALER_STACK_FRAMES + 5)

struct tree_printer {
	const struct report *report;
	struct table table;
	bool *shown; /* of the tree's nodes */
	char indent[LEVELS_MAX * INDENT_SIZE + 1];
};

struct leaf_order {
	const struct call_tree_node *nodes;
	enum sort_key sort;
};

static int compare_leaves(const void *left, const void *right, void *data)
{
	const struct leaf_order *order = data;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	uint64_t value_a = time_figures_value(&order->nodes[a].figures, order->sort);
	uint64_t value_b = time_figures_value(&order->nodes[b].figures, order->sort);

	if (value_a != value_b)
		return value_a > value_b ? -1 : 1;
	return (a > b) - (a < b);
}

/* Chooses the largest leaves and the ways to them. Returns 0 or -ENOMEM. */
static int choose_shown(struct tree_printer *printer)
{
	const struct call_tree *tree = &printer->report->tree;
	struct leaf_order order = { tree->nodes, sort_key_for(&printer->report->options, PART_TREE) };
	size_t *leaves = calloc(tree->count, sizeof(*leaves));
	size_t count = 0, shown;

	printer->shown = calloc(tree->count, sizeof(*printer->shown));
	if (!leaves || !printer->shown) {
		free(leaves);
		return -ENOMEM;
	}
	for (size_t i = 0; i < tree->count; i++) {
		if (!tree->nodes[i].first_child)
			leaves[count++] = i;
	}
	qsort_r(leaves, count, sizeof(*leaves), compare_leaves, &order);
	shown = text_rows_shown(printer->report, count);
	for (size_t i = 0; i < shown; i++) {
		for (size_t node = leaves[i]; node; node = tree->nodes[node].parent)
			printer->shown[node] = true;
	}
	free(leaves);
	return 0;
}

static char *format_node(const struct report *report, const struct call_tree_node *node)
{
	char call[SYSCALL_NAME_SIZE];
	char *text = NULL, *name;
	int length = -1;

	switch (node->kind) {
	case CALL_TREE_THREADS:
		name = text_escape_name(node->name);
		length = name ? asprintf(&text, "thread:%s", name) : -1;
		free(name);
		break;
	case CALL_TREE_FUNCTION:
		return text_format_place(report->places, node->value);
	case CALL_TREE_CUT:
		length = asprintf(&text, "(cut: %s)", stack_end_text((enum scaler_stack_end)node->value));
		break;
	case CALL_TREE_RUNNING:
		length = asprintf(&text, "(running)");
		break;
	default:
		length = asprintf(
			&text, "syscall:%s",
			syscall_format(call_tree_abi(node->value), call_tree_number(node->value), call));
	}
	return length < 0 ? NULL : text;
}

static void figures_cells(struct tree_printer *printer, const struct time_figures *figures)
{
	uint64_t all_ns = printer->report->tree.total.total_ns;
	char text[UNITS_SIZE];

	table_cell(&printer->table, "%s", units_format_share(figures->total_ns, all_ns, text));
	table_cell(&printer->table, "%s", units_format_time(figures->total_ns, text));
	table_cell(&printer->table, "%s", units_format_time(figures->time_ns[SCALER_RUNNING], text));
	table_cell(&printer->table, "%s", units_format_time(figures->time_ns[SCALER_BLOCKED], text));
	table_cell(&printer->table, "%s%" PRIu64, text_sampled_mark(&figures->calls_sampled), figures->calls);
	table_cell(&printer->table, "%" PRIu64, figures->errors);
}

static void sum_cells(struct tree_printer *printer, const char *branch, const char *name,
		      const struct time_figures *figures)
{
	figures_cells(printer, figures);
	table_cell(&printer->table, "%s%s%s", printer->indent, branch, name);
}

/* A node, and below it without figures, which would be the same, those that are the only child of the one above. */
static size_t chain_cells(struct tree_printer *printer, size_t node, const char *branch, const char *below)
{
	const struct call_tree_node *nodes = printer->report->tree.nodes;

	for (bool first = true;; first = false) {
		char *name = format_node(printer->report, &nodes[node]);
		size_t child = nodes[node].first_child;

		if (first)
			figures_cells(printer, &nodes[node].figures);
		for (size_t i = 0; i + 1 < printer->table.column_count && !first; i++)
			table_cell(&printer->table, "%s", "");
		table_cell(&printer->table, "%s%s%s", printer->indent, first ? branch : below, name ?: "");
		printer->table.failed |= !name;
		free(name);
		if (!child || nodes[child].next_sibling)
			return node;
		node = child;
	}
}

/* What of a node's children is not shown: how many, and their sum. */
static size_t sum_others(const struct tree_printer *printer, size_t parent, struct time_figures *sum)
{
	const struct call_tree_node *nodes = printer->report->tree.nodes;
	size_t count = 0;

	*sum = (struct time_figures){ 0 };
	for (size_t child = nodes[parent].first_child; child; child = nodes[child].next_sibling) {
		if (printer->shown[child])
			continue;
		time_figures_add(sum, &nodes[child].figures);
		count++;
	}
	return count;
}

static size_t next_shown(const struct tree_printer *printer, size_t node)
{
	while (node && !printer->shown[node])
		node = printer->report->tree.nodes[node].next_sibling;
	return node;
}

/* Of the node; recursive as the tree is, which is no deeper than a stack is walked. */
static void children_cells(struct tree_printer *printer, size_t parent)
{
	const struct call_tree_node *nodes = printer->report->tree.nodes;
	size_t length = strlen(printer->indent);
	struct time_figures sum;
	size_t others = sum_others(printer, parent, &sum);
	char text[TEXT_OTHERS_SIZE];

	for (size_t child = next_shown(printer, nodes[parent].first_child); child;) {
		size_t next = next_shown(printer, nodes[child].next_sibling);
		bool is_last = !next && !others;
		const char *branch = is_last ? LAST_BRANCH : BRANCH, *below = is_last ? LAST_BELOW : BELOW;
		size_t end;

		/* Threads, which are not called by anything, need no lines. */
		end = chain_cells(printer, child, parent ? branch : "", parent ? below : "");
		if (parent)
			memcpy(printer->indent + length, below, INDENT_SIZE + 1);
		children_cells(printer, end);
		printer->indent[length] = '\0';
		child = next;
	}
	if (others)
		sum_cells(printer, parent ? LAST_BRANCH : "", text_others(others, text), &sum);
}

int text_tree(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_FIGURES("SHARE", 0),
		TABLE_FIGURES("TOTAL", 0),
		TABLE_FIGURES("RUNNING", 0),
		TABLE_FIGURES("BLOCKED", 0),
		TABLE_FIGURES("CALLS", 1),
		TABLE_FIGURES("ERRORS", 2),
		TABLE_TREE("THREADS, FUNCTIONS, SYSTEM CALLS"),
	};
	struct tree_printer printer = { .report = report };
	int err;

	fprintf(renderer->out,
		"\nCall tree: the threads' time in system calls%s by the functions that led there, callers "
		"above\n\n",
		report->outside.samples ? " and running in none" : "");
	table_begin(&printer.table, columns, ARRAY_SIZE(columns));
	err = choose_shown(&printer);
	if (!err) {
		children_cells(&printer, 0);
		sum_cells(&printer, "", "(outside of calls)", &report->tree.outside);
		sum_cells(&printer, "", "total", &report->tree.total);
	}
	free(printer.shown);
	return text_table_print(renderer, report, &printer.table) ?: err;
}
