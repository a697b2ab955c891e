// SPDX-License-Identifier: GPL-2.0-only
/* The table of library calls. */
#include "render/tables.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/units.h"
#include "render/library_columns.h"
#include "render/text.h"

void text_library_function_cell(struct table *table, const struct library_function *function)
{
	char *name = text_escape_name(function->name), *version = text_escape_name(function->version ?: "");

	table->failed |= !name || !version;
	table_cell(table, "%s%s%s", name ?: "", function->version ? "@" : "", version ?: "");
	free(name);
	free(version);
}

/*
 * From when on and until when, since the recording began; empty: all the time. "~ after" the time from which on it was so
 * only in windows, "~ until" that up to which it was.
 */
static void counted_cell(struct table *table, const struct report *report, const void *item)
{
	const struct library_row *row = item;
	const struct library_function *function = row->function;
	bool is_sampled = row->counting == LIBRARY_SAMPLED;
	uint64_t start_ns = report->recording_start_ns;
	uint64_t from_ns = function->since_ns > start_ns ? function->since_ns - start_ns : 0;
	uint64_t until_ns = function->unhooked_ns > start_ns ? function->unhooked_ns - start_ns : 0;
	char from[UNITS_SIZE], until[UNITS_SIZE];

	units_format_time(from_ns, from);
	units_format_time(until_ns, until);
	if (is_sampled && !function->unhooked_ns)
		table_cell(table, "~ until %s", from);
	else if (is_sampled && (until_ns <= from_ns || !function->since_ns))
		table_cell(table, "~%s%s", until_ns ? " after " : "", until_ns ? until : "");
	else if (function->since_ns && function->unhooked_ns)
		table_cell(table, "%s to %s%s", from, until, is_sampled ? ", then ~" : "");
	else if (function->since_ns || function->unhooked_ns)
		table_cell(table, function->since_ns ? "from %s" : "until %s",
			   function->since_ns ? from : until);
	else
		table_cell(table, "%s", "");
}

static const char *library_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct library_row *row = item;

	(void)buffer;
	return row->function->library;
}

static void function_cell(struct table *table, const struct report *report, const void *item)
{
	const struct library_row *row = item;

	(void)report;
	text_library_function_cell(table, row->function);
}

static const char *function_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct library_row *row = item;

	(void)buffer;
	return row->function->name;
}

static const char *symbol_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct library_row *row = item;

	(void)buffer;
	return row->function->symbol;
}

static const char *version_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct library_row *row = item;

	(void)buffer;
	return row->function->version;
}

static const char *counted_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct library_row *row = item;

	(void)buffer;
	return library_counting_name(row->counting);
}

static uint64_t unhooked_number(const void *item)
{
	const struct library_row *row = item;

	return row->function->unhooked_ns;
}

static uint64_t since_number(const void *item)
{
	const struct library_row *row = item;

	return row->function->since_ns;
}

/* Whether a call has been entered and has returned. */
static bool has_returned(const void *item)
{
	const struct library_row *row = item;

	return row->max_start_ns;
}

static const char *comm_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct library_thread *thread = item;

	(void)buffer;
	return thread->comm;
}

/* Their calls may be within one another, so that the sum is of self times. */
static void library_rest(const struct report *report, size_t first, void *item)
{
	struct library_row *row = item;

	*row = (struct library_row){ 0 };
	for (size_t i = first; i < report->library.row_count; i++)
		library_figures_add_sum(&row->figures, &report->library.rows[i].figures);
	row->figures.total = row->figures.self;
}

static const char *library_total(const struct report *report, size_t index, void *item)
{
	struct library_row *row = item;

	if (index)
		return NULL;
	*row = (struct library_row){ .figures = report->library.total };
	return "total";
}

/* A column in a line or two. */
/* clang-format off */
static const struct column caller_columns[] = {
	{ COLUMN_COMPONENT, 0, NULL, "component", "null: not known",
	  FIELD(struct library_caller, component) },
	LIBRARY_FIGURES_COLUMNS,
};

static const struct row_type caller_type = ROW_TYPE(caller_columns, struct library_caller);

static const struct column thread_columns[] = {
	{ COLUMN_ID, 0, NULL, "pid", "null, as tid: of many threads, or the thread's own figures are lost",
	  FIELD(struct library_thread, pid) },
	{ COLUMN_ID, 0, NULL, "tid", NULL, FIELD(struct library_thread, tid) },
	{ COLUMN_NAME, 0, NULL, "name", "of a group of threads that have ended, # stands for a digit",
	  .text = comm_text },
	{ COLUMN_COUNT, 0, NULL, "threads", "1, or how many are in the group",
	  FIELD(struct library_thread, threads) },
	LIBRARY_FIGURES_COLUMNS,
};

static const struct row_type thread_type = ROW_TYPE(thread_columns, struct library_thread);

#define OF(member) FIELD(struct library_row, member)

static const struct column columns[] = {
	{ COLUMN_NAME, 0, "LIBRARY", "library", "the name of the file that the function was found in",
	  .text = library_text },
	{ COLUMN_COMPONENT, 0, NULL, "component", "the name of what was mapped where it ran; null: not known",
	  OF(component) },
	{ COLUMN_NAME, 0, "FUNCTION", "function", NULL, .text = function_text, .cell = function_cell },
	{ COLUMN_NAME, 0, NULL, "symbol",
	  "as the compiler has mangled it; of several names the one that is imported", .text = symbol_text },
	{ COLUMN_NAME, 0, NULL, "version", "the symbol's; null: none, or the default one",
	  .text = version_text },
	{ COLUMN_TIME, 4, "COUNTED", NULL,
	  "from when on and until when every call was counted; nothing: all the time; ~ after: from then on "
	  "in windows",
	  .cell = counted_cell },
	{ COLUMN_WORD, 0, NULL, "counted",
	  "exact: every call, within unhooked_ns and since_ns; sampled: from unhooked_ns on in windows, by "
	  "which these are estimated; share_only: from then on none is counted, and only samples tell what "
	  "part of the time was in it",
	  .text = counted_text, .type = "counting" },
	{ COLUMN_MOMENT, 0, NULL, "unhooked_ns",
	  "from then on not every call is counted, because probes cost more than --overhead allows, or came "
	  "to share the function with another tracer's; null: all are",
	  .number = unhooked_number },
	{ COLUMN_MOMENT, 0, NULL, "since_ns",
	  "calls are counted only from then on, because the function's file or the file that calls it was "
	  "loaded later; null: all are",
	  .number = since_number },
	LIBRARY_FIGURES_COLUMNS,
	{ COLUMN_TIME, 3, "P50", "p50_ns",
	  "of the calls that were entered and returned, as are the next; to within 6 %; none: there is none",
	  OF(p50_ns), .is_there = has_returned },
	{ COLUMN_TIME, 2, "P99", "p99_ns", NULL, OF(p99_ns), .is_there = has_returned },
	{ COLUMN_TIME, 1, "MAX", "max_ns", "the longest one", OF(max_ns), .is_there = has_returned },
	{ COLUMN_MOMENT, 0, NULL, "max_start_ns", "when that was entered", OF(max_start_ns) },
	{ COLUMN_ROWS, 2, "CALLED BY", "callers",
	  "where the calls return to, most calls first; their sum is \"calls\"", .row_type = &caller_type,
	  ROWS_OF(struct library_row, callers, caller_count) },
	{ COLUMN_ROWS, 0, NULL, "threads", "in the order in which they were found; their sum is \"calls\"",
	  .row_type = &thread_type, ROWS_OF(struct library_row, threads, thread_count) },
};
/* clang-format on */

const struct report_table report_table_library = {
	.member = "library_calls",
	.help = "How often and for how long one component called the functions of another, by probes on the "
		"functions that "
		"were chosen; longest total first, then most calls, if --sort says nothing else. A call that "
		"is timed "
		"counts when it returns, or the recording or its thread ends; others when they are entered. "
		"What probes "
		"take is taken out of all times, as far as it is known (tracer.probes_ns).",
	.row_type = ROW_TYPE(columns, struct library_row),
	.rows = TABLE_ROWS(library.rows, library.row_count),
	.rest = library_rest,
	.total = library_total,
};

static int library_calls(struct renderer *renderer, const struct report *report)
{
	fprintf(renderer->out,
		"\nLibrary calls: how often%s one component called the functions of another, by probes\n\n",
		report->library.is_timed ? ", and for how long," : "");
	return text_report_table(renderer, report, &report_table_library);
}

int text_library(struct renderer *renderer, const struct report *report)
{
	int err = library_calls(renderer, report);

	if (!err && report->library.is_timed && report->library_syscalls.total.calls)
		err = text_library_syscalls(renderer, report);
	return err;
}
