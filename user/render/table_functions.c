// SPDX-License-Identifier: GPL-2.0-only
/* The table of functions. */
#include "render/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/units.h"
#include "model/profile.h"
#include "render/json_figures.h"
#include "render/library_columns.h"
#include "render/text.h"

/* Without a function: whether it has one that is not known. Else it is outside of system calls. */
static bool is_cut(const struct function_row *row)
{
	return row->path.entered == PLACE_NONE && (row->figures.calls || row->figures.samples);
}

static void function_cell(struct table *table, const struct report *report, const void *item)
{
	const struct function_row *row = item;

	if (row->path.entered == PLACE_NONE)
		table_cell(table, "(cut: %s)", stack_end_text(row->path.cut));
	else
		text_place_cell(table, report->places, row->path.entered);
}

static void innermost_cell(struct table *table, const struct report *report, const void *item)
{
	const struct call_path *path = &((const struct function_row *)item)->path;

	if (path->innermost == path->entered)
		table_cell(table, "%s", "");
	else
		text_place_cell(table, report->places, path->innermost);
}

static const char *cut_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct function_row *row = item;

	(void)buffer;
	return is_cut(row) ? stack_end_text(row->path.cut) : NULL;
}

static void share_value(struct value *value, const struct report *report, const void *item)
{
	const struct function_row *row = item;

	value->number = row->figures.total_ns;
	value->whole = report->functions.total.total_ns;
}

static void interval_cell(struct table *table, const struct report *report, const void *item)
{
	const struct function_row *row = item;

	text_interval_cell(table, report, &row->figures);
}

static const char *calls_mark(const void *item)
{
	const struct function_row *row = item;

	return text_sampled_mark(&row->figures.calls_sampled);
}

static void categories_cell(struct table *table, const struct report *report, const void *item)
{
	const struct time_figures *figures = &((const struct function_row *)item)->figures;
	uint64_t total_ns[CATEGORY_COUNT];

	(void)report;
	for (int category = 0; category < CATEGORY_COUNT; category++)
		total_ns[category] = figures->categories[category].total_ns;
	text_categories_cell(table, total_ns, figures->total_ns);
}

static json_t *categories_object(const struct report *report, const void *item)
{
	(void)report;
	return json_categories(&((const struct function_row *)item)->figures);
}

/* How often probes saw it called, by all; empty, if there are no probes at all. */
static void called_cell(struct table *table, const struct report *report, const void *item)
{
	const struct function_row *row = item;

	if (row->is_probed)
		table_cell(table, "%s%" PRIu64,
			   row->is_probed_in_part ? ">=" : text_sampled_mark(&row->probed.sampled),
			   row->probed.calls);
	else
		table_cell(table, "%s", report->library.functions ? "-" : "");
}

static json_t *probed_object(const struct report *report, const void *item)
{
	const struct function_row *row = item;

	return row->is_probed ? json_row(&library_figures_type, report, &row->probed) : json_null();
}

static json_t *sampled_object(const struct report *report, const void *item)
{
	const struct function_row *row = item;
	bool is_outside = row->path.entered == PLACE_NONE && !is_cut(row);

	return is_outside ? json_null() : json_sampled(&report->outside, &row->figures);
}

static void set_sum(struct function_row *row, const struct time_figures *figures)
{
	*row = (struct function_row){
		.path = { .entered = PLACE_NONE, .innermost = PLACE_NONE, .caller = PLACE_NONE },
		.figures = *figures,
	};
}

static void function_rest(const struct report *report, size_t first, void *item)
{
	const struct time_figures rest = function_summary_rest(&report->functions, first);

	set_sum(item, &rest);
}

static const char *function_total(const struct report *report, size_t index, void *item)
{
	const struct function_summary *functions = &report->functions;
	struct function_row *row = item;

	if (index > 1)
		return NULL;
	set_sum(row, index ? &functions->total : &functions->outside);
	row->figures.samples = 0; /* both are exact */
	return index ? "total" : "(outside of calls)";
}

/* A column in a line or two. */
/* clang-format off */
static const struct column caller_columns[] = {
	{ COLUMN_PLACE, 0, NULL, "caller", NULL, FIELD(struct function_caller, place) },
	{ COLUMN_COUNT, 0, NULL, "calls", NULL, FIELD(struct function_caller, sum.calls) },
	{ COLUMN_TIME, 0, NULL, "total_ns", NULL, FIELD(struct function_caller, sum.total_ns),
	  .is_order = true },
	{ COLUMN_TIME, 0, NULL, "blocked_ns", NULL, FIELD(struct function_caller, sum.blocked_ns) },
};

static const struct row_type caller_type = ROW_TYPE(caller_columns, struct function_caller);

#define OF(member) FIELD(struct function_row, member)

static const struct column columns[] = {
	{ COLUMN_PLACE, 0, "FUNCTION", "function",
	  "what the application's innermost function had called; its own function, if that made the system "
	  "call, or ran; null: not known, see cut, or outside of system calls",
	  OF(path.entered), .cell = function_cell },
	{ COLUMN_PLACE, 2, "BY WAY OF", "innermost",
	  "the last function on the way from there that was called from another component",
	  OF(path.innermost), .cell = innermost_cell },
	{ COLUMN_WORD, 0, NULL, "cut",
	  "why the function is not known: its stack is cut; null: it is, or outside of system calls",
	  .text = cut_text },
	{ COLUMN_SHARE, 0, "SHARE", NULL, "of the threads' lives", .value = share_value, SUMMED },
	{ COLUMN_TIME, 0, "TOTAL", "total_ns", NULL, OF(figures.total_ns), SUMMED },
	{ COLUMN_TIME, 0, "RUNNING", "running_ns", NULL, OF(figures.time_ns[SCALER_RUNNING]), SUMMED },
	{ COLUMN_OBJECT, 4, "95% INTERVAL", NULL, "of the running time, where it is an estimate in part",
	  .cell = interval_cell, SUMMED },
	{ COLUMN_TIME, 0, NULL, "runnable_ns", NULL, OF(figures.time_ns[SCALER_RUNNABLE]) },
	{ COLUMN_TIME, 0, "BLOCKED", "blocked_ns", NULL, OF(figures.time_ns[SCALER_BLOCKED]), SUMMED },
	{ COLUMN_COUNT, 1, "SYSCALLS", "calls", "system calls, partial ones included", OF(figures.calls),
	  .mark = calls_mark, SUMMED },
	{ COLUMN_COUNT, 3, "ERRORS", "errors", "system calls that failed", OF(figures.errors), SUMMED },
	{ COLUMN_OBJECT, 3, "TIME IN", "categories", "the system calls by category", .cell = categories_cell,
	  .object = categories_object, .type = "categories", SUMMED },
	{ COLUMN_COUNT, 2, "CALLED", "probed",
	  "what probes on the function counted in library_calls, whichever task called it, and for all "
	  "functions of that name; null: it has none",
	  .cell = called_cell, .object = probed_object, .type = "library_figures" },
	{ COLUMN_ROWS, 1, "CALLED BY", "callers",
	  "the application's functions that called it, longest total first; none if it is the application's "
	  "own",
	  .row_type = &caller_type, ROWS_OF(struct function_row, callers, caller_count) },
	{ COLUMN_OBJECT, 0, NULL, "sampled", NULL, .object = sampled_object, .type = "sampled" },
};
/* clang-format on */

const struct report_table report_table_functions = {
	.member = "functions",
	.help = "Where the threads' time went: in the system calls by way of each function that the "
		"application called, and "
		"running outside of them in it and in what it called; longest first, and last, without a "
		"function, what "
		"else is outside of system calls. The application is the file that the process executes, or "
		"code "
		"generated at run time; in a thread that runs no such code the outermost component stands "
		"for it. "
		"total_ns = running_ns + runnable_ns + blocked_ns; all rows add up to the threads' lives.",
	.row_type = ROW_TYPE(columns, struct function_row),
	.rows = TABLE_ROWS(functions.rows, functions.row_count),
	.rest = function_rest,
	.total = function_total,
	.json_totals = 1,
};

int text_functions(struct renderer *renderer, const struct report *report)
{
	fprintf(renderer->out,
		"\nFunctions: the threads' time in system calls%s by the library function that the "
		"application had called\n\n",
		report->outside.samples ? " and running in none" : "");
	return text_report_table(renderer, report, &report_table_functions);
}
