// SPDX-License-Identifier: GPL-2.0-only
/* The table of system calls. */
#include "render/tables.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/array.h"
#include "base/units.h"
#include "model/syscalls.h"
#include "render/json_figures.h"
#include "render/json_values.h"
#include "render/text.h"

static const char *name_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct call_summary_row *row = item;

	return syscall_format(row->key.abi, row->key.number, buffer);
}

static const char *abi_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct call_summary_row *row = item;

	(void)buffer;
	return row->key.abi == SCALER_ABI_NATIVE ? "native" : "compat";
}

static const char *descriptor_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct call_summary_row *row = item;

	(void)buffer;
	return syscall_descriptor_name(row->key.descriptor);
}

static const char *category_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct call_summary_row *row = item;

	(void)buffer;
	return syscall_category_name(row->category);
}

static const char *errors_mark(const void *item)
{
	const struct call_summary_row *row = item;

	return row->figures.errors ? text_sampled_mark(&row->figures.sampled) : "";
}

static bool has_returned(const void *item)
{
	const struct call_summary_row *row = item;

	return row->figures.count;
}

static void calls_cell(struct table *table, const struct report *report, const void *item)
{
	const struct call_figures *figures = &((const struct call_summary_row *)item)->figures;

	(void)report;
	table_cell(table, "%s%" PRIu64, text_sampled_mark(&figures->sampled),
		   figures->count + figures->partial.count);
}

/* A sum of times that includes calls cut short is a lower bound. */
static void total_cell(struct table *table, const struct report *report, const void *item)
{
	const struct call_figures *figures = &((const struct call_summary_row *)item)->figures;

	(void)report;
	text_bound_cell(table, figures->total_ns + figures->partial.total_ns, figures->partial.count);
}

static void blocked_cell(struct table *table, const struct report *report, const void *item)
{
	const struct call_figures *figures = &((const struct call_summary_row *)item)->figures;

	(void)report;
	text_bound_cell(table, figures->blocked_ns + figures->partial.blocked_ns, figures->partial.count);
}

/* The most frequent errors, "ENOENT 12, EACCES 1". */
static void errors_cell(struct table *table, const struct report *report, const void *item)
{
	const struct call_summary_row *row = item;
	char list[3 * (CALL_ERROR_NAME_SIZE + UNITS_SIZE)] = "", name[CALL_ERROR_NAME_SIZE];
	size_t length = 0, shown = row->error_count < 2 ? row->error_count : 2;

	(void)report;
	for (size_t i = 0; i < shown; i++)
		length +=
			(size_t)snprintf(list + length, sizeof(list) - length, "%s%s %" PRIu64, i ? ", " : "",
					 call_error_format(row->errors[i].code, name), row->errors[i].count);
	if (shown < row->error_count)
		snprintf(list + length, sizeof(list) - length, ", ...");
	table_cell(table, "%s", list);
}

static json_t *errors_object(const struct report *report, const void *item)
{
	const struct call_summary_row *row = item;
	json_t *object = json_object();
	char name[CALL_ERROR_NAME_SIZE];

	(void)report;
	for (size_t i = 0; i < row->error_count; i++) {
		const struct call_error *error = &row->errors[i];

		/* Without memory this one is NULL, and so fails what it is put into. */
		if (json_object_set_new(object, call_error_format(error->code, name),
					json_number(error->count))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *partial_object(const struct report *report, const void *item)
{
	const struct partial_figures *partial = &((const struct call_summary_row *)item)->figures.partial;

	(void)report;
	return json_pack("{s:o, s:o, s:o, s:o}", "count", json_number(partial->count), "total_ns",
			 json_number(partial->total_ns), "runnable_ns", json_number(partial->runnable_ns),
			 "blocked_ns", json_number(partial->blocked_ns));
}

static json_t *sampled_object(const struct report *report, const void *item)
{
	const struct call_figures *figures = &((const struct call_summary_row *)item)->figures;

	return json_call_ranges(&report->sampled, &figures->sampled, figures->count, figures->total_ns);
}

static void call_rest(const struct report *report, size_t first, void *item)
{
	struct call_summary_row *row = item;

	*row = (struct call_summary_row){ .figures = call_summary_rest(&report->calls, first) };
}

#define OF(member) FIELD(struct call_summary_row, member)

/* A column in a line or two. */
/* clang-format off */
static const struct column columns[] = {
	{ COLUMN_WORD, 0, "SYSTEM CALL", "name",
	  "unknown:NUMBER without one; i386: before the name of a 32-bit call", .text = name_text },
	{ COLUMN_COUNT, 0, NULL, "number", NULL, OF(key.number) },
	{ COLUMN_WORD, 0, NULL, "abi", "compat: a 32-bit call on a 64-bit kernel", .text = abi_text },
	{ COLUMN_WORD, 2, "ON", "descriptor",
	  "what the first argument is; empty: no descriptor, or it is not looked at", .text = descriptor_text,
	  .type = "descriptor" },
	{ COLUMN_WORD, 4, "CATEGORY", "category", "of the call, refined by the descriptor",
	  .text = category_text, .type = "category" },
	{ COLUMN_COUNT, 0, "CALLS", "count", "that returned; in text with the partial ones",
	  OF(figures.count), .cell = calls_cell, SUMMED },
	{ COLUMN_COUNT, 0, "ERRORS", "errors", "of those that returned: calls that failed",
	  OF(figures.errors), .mark = errors_mark, SUMMED },
	{ COLUMN_TIME, 0, "TOTAL", "total_ns", "time in them; in text with that of partial ones",
	  OF(figures.total_ns), .cell = total_cell, SUMMED },
	{ COLUMN_TIME, 0, NULL, "runnable_ns", "of the total: waiting for a CPU", OF(figures.runnable_ns) },
	{ COLUMN_TIME, 0, "BLOCKED", "blocked_ns", "of the total: asleep", OF(figures.blocked_ns),
	  .cell = blocked_cell, SUMMED },
	{ COLUMN_TIME, 3, "P50", "p50_ns",
	  "half of the calls took no longer, to within 6 %; none: no call returned", OF(p50_ns),
	  .is_there = has_returned },
	{ COLUMN_TIME, 2, "P99", "p99_ns", "99 of 100 took no longer, to within 6 %", OF(p99_ns),
	  .is_there = has_returned },
	{ COLUMN_TIME, 1, "MAX", "max_ns",
	  "the longest one; exact if it is known when that was entered, else at most 6 % too high",
	  OF(max_ns), .is_there = has_returned },
	{ COLUMN_MOMENT, 0, NULL, "max_start_ns",
	  "when the longest call was entered; null: there is none, or with --interval an earlier interval "
	  "had a longer one",
	  OF(max_start_ns) },
	{ COLUMN_OBJECT, 3, "ERRORS BY NAME", "errors_by_name", "how often each was returned",
	  .cell = errors_cell, .object = errors_object, .type = "figures_by_name" },
	{ COLUMN_PLACE, 2, "ISSUED BY", "issuer", "the code that made the call", OF(key.issuer) },
	{ COLUMN_OBJECT, 0, NULL, "partial", NULL, .object = partial_object, .type = "partial_calls" },
	{ COLUMN_OBJECT, 0, NULL, "sampled", NULL, .object = sampled_object, .type = "call_ranges" },
};
/* clang-format on */

const struct report_table report_table_calls = {
	.member = "syscalls",
	.help = "Every system call that was made, over all threads, by call, issuer and kind of descriptor, "
		"longest "
		"total first if --sort says nothing else. Times and counts are of calls that were entered "
		"and "
		"returned within the recording; the others are in \"partial\".",
	.row_type = ROW_TYPE(columns, struct call_summary_row),
	.rows = TABLE_ROWS(calls.rows, calls.row_count),
	.rest = call_rest,
};

int text_calls(struct renderer *renderer, const struct report *report)
{
	uint64_t partial = report->calls.total.partial.count;
	int err;

	fputs("\nSystem calls\n\n", renderer->out);
	err = text_report_table(renderer, report, &report_table_calls);
	if (partial)
		fprintf(renderer->out,
			"\n>=: with %" PRIu64 " call%s that had begun before the recording or had not "
			"returned when it or the thread ended\n",
			partial, partial == 1 ? "" : "s");
	return err;
}
