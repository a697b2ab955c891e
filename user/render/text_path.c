// SPDX-License-Identifier: GPL-2.0-only
/* A critical path as text: what determined the time, summed, and its longest parts in their order. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "render/table.h"

static void row_cells(struct table *table, const struct report *report, const struct path_row *row,
		      const struct scaler_thread *thread)
{
	text_chain_what_cell(table, report, &row->what, thread, 0);
	if (row->cause.kind == CHAIN_WAIT)
		table_cell(table, "%s", "");
	else
		text_chain_what_cell(table, report, &row->cause, NULL, 0);
	text_chain_place_cells(table, report, &row->what);
}

static void rest_cells(struct table *table, const struct path_report *path, size_t shown)
{
	uint64_t total_ns = 0, count = 0, whole_ns = path->choice.to_ns - path->choice.from_ns;
	char text[UNITS_SIZE], others[TEXT_OTHERS_SIZE];

	for (size_t i = shown; i < path->row_count; i++) {
		total_ns += path->rows[i].total_ns;
		count += path->rows[i].count;
	}
	table_cell(table, "%s", units_format_share(total_ns, whole_ns, text));
	table_cell(table, "%s", units_format_time(total_ns, text));
	table_cell(table, "%" PRIu64, count);
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	table_cell(table, "%s", text_others(path->row_count - shown, others));
	table_end_row(table);
}

static int print_sums(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_FIGURES("SHARE", 0),   TABLE_FIGURES("TOTAL", 0),     TABLE_FIGURES("COUNT", 1),
		TABLE_FIGURES("MEAN", 3),    TABLE_FIGURES("MAX", 2),       TABLE_TREE("PATH"),
		TABLE_WORDS("WAITS FOR", 1), TABLE_WORDS("SYSTEM CALL", 3), TABLE_WORDS("ON", 2),
		TABLE_WORDS("FUNCTION", 1),  TABLE_WORDS("CALLED BY", 2),
	};
	const struct path_report *path = &report->path;
	size_t shown = text_rows_shown(report, path->row_count);
	struct table table;

	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct path_row *row = &path->rows[i];

		text_chain_figures_cells(&table, row->total_ns, path->choice.to_ns - path->choice.from_ns,
					 row->count, row->longest_ns);
		row_cells(&table, report, row, NULL);
	}
	if (shown < path->row_count)
		rest_cells(&table, path, shown);
	return text_table_print(renderer, report, &table);
}

static int print_segments(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_FIGURES("FROM (s)", 0), TABLE_FIGURES("LENGTH", 0),    TABLE_TREE("PATH"),
		TABLE_WORDS("WAITS FOR", 1),  TABLE_WORDS("SYSTEM CALL", 3), TABLE_WORDS("ON", 2),
		TABLE_WORDS("FUNCTION", 1),   TABLE_WORDS("CALLED BY", 2),
	};
	struct critical_path longest = { 0 };
	struct table table;
	char text[UNITS_SIZE];

	if (critical_path_longest(&report->path.path, report->options.top, &longest))
		return -ENOMEM;
	if (longest.count < report->path.path.count)
		fprintf(renderer->out, "\nThe longest %zu of its %zu parts, in their order:\n\n",
			longest.count, report->path.path.count);
	else
		fputs("\nIts parts in their order:\n\n", renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < longest.count; i++) {
		const struct path_segment *segment = &longest.segments[i];
		const struct path_row row = path_row_of(&report->graph, segment);

		text_clock_cell(&table, report, segment->from_ns);
		table_cell(&table, "%s", units_format_time(segment->to_ns - segment->from_ns, text));
		row_cells(&table, report, &row, wait_graph_thread(&report->graph, segment->task));
	}
	critical_path_clear(&longest);
	return text_table_print(renderer, report, &table);
}

/* "process 12 (make)", "process 12, by its last thread, worker [14]", "worker [14]". */
static void print_title(struct renderer *renderer, const struct path_choice *choice)
{
	const struct scaler_thread *thread = choice->thread;
	char name[ESCAPE_FACTOR * SCALER_COMM_SIZE + 1];

	escape_text(thread->comm, SCALER_COMM_SIZE, name);
	fputs("\nCritical path of ", renderer->out);
	if (choice->is_process && thread->tid == thread->tgid)
		fprintf(renderer->out, "process %" PRIu32 " (%s)", thread->tgid, name);
	else if (choice->is_process)
		fprintf(renderer->out, "process %" PRIu32 ", by its last thread, %s [%" PRIu32 "]",
			thread->tgid, name, thread->tid);
	else
		fprintf(renderer->out, "%s [%" PRIu32 "]", name, thread->tid);
	fputs(": what determined how long this took\n", renderer->out);
}

static void print_states(struct renderer *renderer, const struct path_report *path)
{
	uint64_t whole_ns = path->choice.to_ns - path->choice.from_ns;
	char whole[UNITS_SIZE], running[UNITS_SIZE], runnable[UNITS_SIZE], waiting[UNITS_SIZE];

	fprintf(renderer->out, "%s: %s running, %s waiting for a CPU, %s waiting for anything else\n\n",
		units_format_time(whole_ns, whole), units_format_share(path->running_ns, whole_ns, running),
		units_format_share(path->runnable_ns, whole_ns, runnable),
		units_format_share(path->waiting_ns, whole_ns, waiting));
}

int text_path(struct renderer *renderer, const struct report *report)
{
	const struct path_report *path = &report->path;

	if (!path->choice.thread) {
		fputs("\nCritical path: no such thread was seen.\n", renderer->out);
		return 0;
	}
	print_title(renderer, &path->choice);
	if (!path->path.count) {
		fputs("It was not there in that time.\n", renderer->out);
		return 0;
	}
	print_states(renderer, path);
	return print_sums(renderer, report) ?: print_segments(renderer, report);
}
