// SPDX-License-Identifier: GPL-2.0-only
/* The table of system calls, as text. */
#include "render/text.h"

#include <inttypes.h>

#include "base/array.h"
#include "base/units.h"

/* A sum of times that includes calls cut short is a lower bound. */
static void bound_cell(struct table *table, uint64_t whole_ns, uint64_t partial_ns, bool partial)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s%s", partial ? ">=" : "", units_format_time(whole_ns + partial_ns, text));
}

static void call_figures_cells(struct table *table, const struct call_figures *figures)
{
	const struct partial_figures *partial = &figures->partial;
	const char *sampled = text_sampled_mark(&figures->sampled);

	table_cell(table, "%s%" PRIu64, sampled, figures->count + partial->count);
	table_cell(table, "%s%" PRIu64, figures->errors ? sampled : "", figures->errors);
	bound_cell(table, figures->total_ns, partial->total_ns, partial->count);
	bound_cell(table, figures->blocked_ns, partial->blocked_ns, partial->count);
}

static void call_time_cell(struct table *table, const struct call_summary_row *row, uint64_t time_ns)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", row->figures.count ? units_format_time(time_ns, text) : "-");
}

/* The most frequent errors, "ENOENT 12, EACCES 1". */
static void errors_cell(struct table *table, const struct call_summary_row *row)
{
	char list[3 * (CALL_ERROR_NAME_SIZE + UNITS_SIZE)] = "", name[CALL_ERROR_NAME_SIZE];
	size_t length = 0, shown = row->error_count < 2 ? row->error_count : 2;

	for (size_t i = 0; i < shown; i++)
		length +=
			(size_t)snprintf(list + length, sizeof(list) - length, "%s%s %" PRIu64, i ? ", " : "",
					 call_error_format(row->errors[i].code, name), row->errors[i].count);
	if (shown < row->error_count)
		snprintf(list + length, sizeof(list) - length, ", ...");
	table_cell(table, "%s", list);
}

static void row_cells(struct table *table, const struct report *report, size_t i)
{
	const struct call_summary_row *row = &report->calls.rows[i];
	const struct call_summary_key *key = &row->key;
	char name[SYSCALL_NAME_SIZE];

	table_cell(table, "%s", syscall_format(key->abi, key->number, name));
	table_cell(table, "%s", syscall_descriptor_name(key->descriptor));
	table_cell(table, "%s", syscall_category_name(row->category));
	call_figures_cells(table, &row->figures);
	call_time_cell(table, row, row->p50_ns);
	call_time_cell(table, row, row->p99_ns);
	call_time_cell(table, row, row->max_ns);
	errors_cell(table, row);
	text_place_cell(table, report->places, key->issuer);
}

static void sum_cells(struct table *table, const struct report *report, size_t first)
{
	const struct call_figures sum = call_summary_rest(&report->calls, first);

	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	call_figures_cells(table, &sum);
}

int text_calls(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("SYSTEM CALL", 0),    TABLE_WORDS("ON", 2),
		TABLE_WORDS("CATEGORY", 4),       TABLE_FIGURES("CALLS", 0),
		TABLE_FIGURES("ERRORS", 0),       TABLE_FIGURES("TOTAL", 0),
		TABLE_FIGURES("BLOCKED", 0),      TABLE_FIGURES("P50", 3),
		TABLE_FIGURES("P99", 2),          TABLE_FIGURES("MAX", 1),
		TABLE_WORDS("ERRORS BY NAME", 3), TABLE_WORDS("ISSUED BY", 2),
	};
	const struct text_table table = { columns, ARRAY_SIZE(columns), report->calls.row_count, row_cells,
					  sum_cells };
	uint64_t partial = report->calls.total.partial.count;
	int err;

	fputs("\nSystem calls\n\n", renderer->out);
	err = text_table_of_rows(renderer, report, &table);
	if (partial)
		fprintf(renderer->out,
			"\n>=: with %" PRIu64 " call%s that had begun before the recording or had not "
			"returned when it or the thread ended\n",
			partial, partial == 1 ? "" : "s");
	return err;
}
