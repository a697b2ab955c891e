// SPDX-License-Identifier: GPL-2.0-only
/* The table of scheduler latencies, as text. */
#include "render/text.h"

#include <inttypes.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "render/table.h"

static void figures_cells(struct table *table, const struct report *report,
			  const struct latency_figures *figures)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", units_format_time(figures->running_ns, text));
	table_cell(table, "%" PRIu64, figures->switches);
	table_cell(table, "%" PRIu64, figures->delays);
	table_cell(table, "%s", units_format_time(figures->delay_ns, text));
	text_quota_cell(table, figures->quota_ns);
	if (!figures->longest.duration_ns)
		return;
	table_cell(table, "%s", units_format_time(latency_average_ns(figures), text));
	text_bound_cell(table, figures->longest.duration_ns, figures->is_lower_bound);
	text_clock_cell(table, report, figures->longest.start_ns);
}

static void row_cells(struct table *table, const struct report *report, size_t i)
{
	const struct latency_row *row = &report->latency.rows[i];
	char name[ESCAPE_FACTOR * sizeof(row->thread->comm)];

	table_cell(table, "%s", escape_text(row->thread->comm, sizeof(row->thread->comm), name));
	table_cell(table, "%" PRIu32, row->thread->pid);
	table_cell(table, "%" PRIu32, row->thread->tid);
	figures_cells(table, report, &row->figures);
}

static void sum_cells(struct table *table, const struct report *report, size_t first)
{
	const struct latency_figures sum = latency_summary_rest(&report->latency, first);

	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	figures_cells(table, report, &sum);
}

int text_latency(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("THREAD", 0),     TABLE_FIGURES("PID", 2),       TABLE_FIGURES("TID", 1),
		TABLE_FIGURES("RUNNING", 0),  TABLE_FIGURES("SWITCHES", 2),  TABLE_FIGURES("DELAYS", 0),
		TABLE_FIGURES("RUNNABLE", 0), TABLE_FIGURES("QUOTA", 1),     TABLE_FIGURES("AVERAGE", 1),
		TABLE_FIGURES("MAX", 1),      TABLE_FIGURES("MAX START", 3),
	};
	const struct text_table table = { columns, ARRAY_SIZE(columns), report->latency.row_count, row_cells,
					  sum_cells };

	fputs("\nScheduler latency: how long threads that could run waited for a CPU\n\n", renderer->out);
	return text_table_of_rows(renderer, report, &table);
}
