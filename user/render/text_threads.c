// SPDX-License-Identifier: GPL-2.0-only
/* The table of threads, as text. */
#include "render/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "model/syscalls.h"
#include "render/table.h"

#define BAR_WIDTH 20

#define RUNNING_COLUMN 4

/* '#' running, '=' runnable, '.' blocked, together BAR_WIDTH characters, rounded as sums. */
static const char *format_bar(const struct thread_figures *figures, char bar[BAR_WIDTH + 1])
{
	const uint64_t *time_ns = figures->time_ns;
	double scale = figures->life_ns ? (double)BAR_WIDTH / (double)figures->life_ns : 0;
	int running = (int)((double)time_ns[SCALER_RUNNING] * scale + 0.5);
	int able = (int)((double)(time_ns[SCALER_RUNNING] + time_ns[SCALER_RUNNABLE]) * scale + 0.5);

	memset(bar, '.', BAR_WIDTH);
	memset(bar, '=', (size_t)able);
	memset(bar, '#', (size_t)running);
	bar[BAR_WIDTH] = '\0';
	return bar;
}

static void figures_cells(struct table *table, const struct thread_figures *figures)
{
	char text[UNITS_SIZE], bar[BAR_WIDTH + 1];

	table_cell(table, "%s", units_format_time(figures->life_ns, text));
	for (int state = 0; state < SCALER_STATE_COUNT; state++) {
		uint64_t own_ns =
			figures->time_ns[state] - (state == SCALER_RUNNING ? figures->tracer_ns : 0);

		table_cell(table, "%s", units_format_time(own_ns, text));
	}
	text_quota_cell(table, figures->quota_ns);
	table_cell(table, "%s", format_bar(figures, bar));
	table_cell(table, "%" PRIu64, figures->voluntary);
	table_cell(table, "%" PRIu64, figures->involuntary);
}

/* "read socket 1.234 s". */
static void top_call_cell(struct table *table, const struct thread_row *row)
{
	const struct scaler_call_id *id = &row->top_call;
	char name[SYSCALL_NAME_SIZE], text[UNITS_SIZE];

	if (row->top_call_blocked_ns)
		table_cell(table, "%s%s%s %s", syscall_format(id->abi, id->number, name),
			   id->descriptor ? " " : "", syscall_descriptor_name(id->descriptor),
			   units_format_time(row->top_call_blocked_ns, text));
	else
		table_cell(table, "%s", "");
}

/* "libc.so.6:read 1.234 s" or "libssl.so.3:SSL_read > libc.so.6:read 1.234 s"; empty, if nothing tells functions. */
static void top_function_cell(struct table *table, const struct report *report, const struct thread_row *row)
{
	const struct call_path *path = &row->top_path;
	char *entered, *innermost, text[UNITS_SIZE];

	if (!report_has_top_function(report, row)) {
		table_cell(table, "%s", "");
		return;
	}
	entered = text_format_place(report->places, path->entered);
	innermost = text_format_place(report->places, path->innermost);
	table->failed |= !entered || !innermost;
	table_cell(table, "%s%s%s %s", entered ?: "", path->innermost != path->entered ? " > " : "",
		   path->innermost != path->entered && innermost ? innermost : "",
		   units_format_time(row->top_path_ns, text));
	free(entered);
	free(innermost);
}

static void thread_cells(struct table *table, const struct report *report, const struct thread_row *row)
{
	char name[ESCAPE_FACTOR * sizeof(row->comm)];

	table_cell(table, "%s", escape_text(row->comm, sizeof(row->comm), name));
	table_cell(table, "%" PRIu32, row->pid);
	table_cell(table, "%" PRIu32, row->tid);
	figures_cells(table, &row->figures);
	top_call_cell(table, row);
	top_function_cell(table, report, row);
}

static void sum_cells(struct table *table, const char *name, const struct thread_figures *figures)
{
	table_cell(table, "%s", name);
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	figures_cells(table, figures);
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
}

/* What the tracer took of the threads' running time, which is in none of theirs. */
static void tracer_cells(struct table *table, const struct thread_figures *total)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", "[tracer]");
	for (size_t column = 1; column < table->column_count; column++)
		table_cell(table, "%s",
			   column == RUNNING_COLUMN ? units_format_time(total->tracer_ns, text) : "");
}

int text_threads(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("THREAD", 0),
		TABLE_FIGURES("PID", 2),
		TABLE_FIGURES("TID", 1),
		TABLE_FIGURES("LIFE", 1),
		TABLE_FIGURES("RUNNING #", 0),
		TABLE_FIGURES("RUNNABLE =", 0),
		TABLE_FIGURES("BLOCKED .", 0),
		TABLE_FIGURES("QUOTA", 3),
		TABLE_WORDS("", 4),
		TABLE_FIGURES("VOLUNTARY", 4),
		TABLE_FIGURES("INVOLUNTARY", 5),
		TABLE_WORDS("TOP BLOCKING CALL", 1),
		TABLE_WORDS("TOP FUNCTION", 1),
	};

	const struct thread_summary *threads = &report->threads;
	size_t shown = text_rows_shown(report, threads->row_count);
	struct thread_figures total = threads->total;
	struct table table;
	char others[TEXT_OTHERS_SIZE];

	/* With what the rows are without. */
	total.tracer_ns = 0;
	fprintf(renderer->out, "\nThreads: %zu of %zu process%s\n\n", threads->row_count,
		threads->process_count, threads->process_count == 1 ? "" : "es");
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++)
		thread_cells(&table, report, &threads->rows[i]);
	if (shown < threads->row_count) {
		struct thread_figures rest = thread_summary_rest(threads, shown);

		sum_cells(&table, text_others(threads->row_count - shown, others), &rest);
	}
	if (threads->total.tracer_ns)
		tracer_cells(&table, &threads->total);
	sum_cells(&table, "total", &total);
	return text_table_print(renderer, report, &table);
}
