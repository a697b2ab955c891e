// SPDX-License-Identifier: GPL-2.0-only
/* The summary of waits as text. */
#include "render/text.h"

#include <inttypes.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "render/table.h"

static void figures_cells(struct table *table, const struct wait_figures *figures)
{
	char text[UNITS_SIZE];

	table_cell(table, "%zu", figures->count);
	text_bound_cell(table, figures->blocked_ns, figures->is_lower_bound);
	table_cell(table, "%s", units_format_time(figures->delay_ns, text));
}

static void row_cells(struct table *table, const struct report *report, size_t i)
{
	const struct wait_row *row = &report->waits.rows[i];
	const struct blocking_row *longest = &row->longest;
	const struct scaler_task_names *names = &longest->interval->names;
	char name[ESCAPE_FACTOR * sizeof(names->comm) + 1];

	table_cell(table, "%s", escape_text(names->comm, sizeof(names->comm), name));
	if (row->process_count == 1)
		table_cell(table, "%" PRIu32, names->tgid);
	else
		table_cell(table, "%zu processes", row->process_count);
	table_cell(table, "%zu", row->thread_count);
	figures_cells(table, &row->figures);
	text_bound_cell(table, row->p99_ns, row->figures.is_lower_bound);
	text_bound_cell(table, longest->blocked_ns, row->figures.is_lower_bound);
	text_wait_call_cells(table, report, longest);
	text_wait_path_cells(table, report->places, &longest->place);
	text_waker_cells(table, report, longest,
			 row->has_several_wakers ? TEXT_WAKER_PROCESSES : TEXT_WAKER_THREADS);
}

static void sum_cells(struct table *table, const struct report *report, size_t first)
{
	const struct wait_figures sum = wait_summary_rest(&report->waits, first);

	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	figures_cells(table, &sum);
}

int text_waits(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("THREAD", 0),         TABLE_FIGURES("PID", 3),
		TABLE_FIGURES("THREADS", 2),      TABLE_FIGURES("WAITS", 0),
		TABLE_FIGURES("BLOCKED", 0),      TABLE_FIGURES("DELAY", 1),
		TABLE_FIGURES("P99", 2),          TABLE_FIGURES("MAX", 1),
		TABLE_WORDS("SYSTEM CALL", 2),    TABLE_WORDS("ON", 1),
		TABLE_WORDS("FUNCTION", 0),       TABLE_WORDS("CALLED BY", 1),
		TABLE_WORDS("WOKEN BY", 0),       TABLE_WORDS("WAKER'S FUNCTION", 3),
		TABLE_WORDS("WAKER'S CALLER", 4), TABLE_WORDS("CONTEXT", 5),
	};
	const struct text_table table = { columns, ARRAY_SIZE(columns), report->waits.row_count, row_cells,
					  sum_cells };

	fputs("\nWaits: who was blocked in what, on what, and what ended it\n\n", renderer->out);
	return text_table_of_rows(renderer, report, &table);
}
