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
	if (!figures->longest.duration_ns) {
		for (int i = 0; i < 3; i++)
			table_cell(table, "%s", "");
		return;
	}
	table_cell(table, "%s", units_format_time(latency_average_ns(figures), text));
	text_bound_cell(table, figures->longest.duration_ns, figures->is_lower_bound);
	text_clock_cell(table, report, figures->longest.start_ns);
}

static void sum_cells(struct table *table, const struct report *report, const char *name,
		      const struct latency_figures *figures)
{
	table_cell(table, "%s", name);
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	figures_cells(table, report, figures);
}

int text_latency(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("THREAD", 0),     TABLE_FIGURES("PID", 2),       TABLE_FIGURES("TID", 1),
		TABLE_FIGURES("RUNNING", 0),  TABLE_FIGURES("SWITCHES", 2),  TABLE_FIGURES("DELAYS", 0),
		TABLE_FIGURES("RUNNABLE", 0), TABLE_FIGURES("QUOTA", 1),     TABLE_FIGURES("AVERAGE", 1),
		TABLE_FIGURES("MAX", 1),      TABLE_FIGURES("MAX START", 3),
	};
	const struct latency_summary *latency = &report->latency;
	size_t count = latency->row_count, shown = text_rows_shown(report, count);
	struct table table;
	char others[TEXT_OTHERS_SIZE];

	fputs("\nScheduler latency: how long threads that could run waited for a CPU\n\n", renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct thread_row *thread = latency->rows[i].thread;
		char name[ESCAPE_FACTOR * sizeof(thread->comm)];

		table_cell(&table, "%s", escape_text(thread->comm, sizeof(thread->comm), name));
		table_cell(&table, "%" PRIu32, thread->pid);
		table_cell(&table, "%" PRIu32, thread->tid);
		figures_cells(&table, report, &latency->rows[i].figures);
	}
	if (shown < count) {
		const struct latency_figures rest = latency_summary_rest(latency, shown);

		sum_cells(&table, report, text_others(count - shown, others), &rest);
	}
	sum_cells(&table, report, "total", &latency->total);
	return text_table_print(renderer, report, &table);
}
