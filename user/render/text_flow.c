// SPDX-License-Identifier: GPL-2.0-only
/* The table of library calls between components, as text. */
#include "render/text.h"

#include "base/array.h"

static struct library_figures sum_figures(const struct cross_flow_row *rows, size_t count)
{
	struct library_figures sum = { 0 };

	for (size_t i = 0; i < count; i++)
		library_figures_add_sum(&sum, &rows[i].figures);
	/* Calls between two components may be within calls between others. */
	sum.total = sum.self;
	return sum;
}

static void sum_cells(struct table *table, const char *name, const struct library_figures *figures,
		      bool is_timed)
{
	table_cell(table, "%s", name);
	table_cell(table, "%s", "");
	text_library_figures_cells(table, figures, is_timed);
}

int text_flow(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("CALLER", 0),    TABLE_WORDS("CALLED", 0),  TABLE_FIGURES("CALLS", 0),
		TABLE_FIGURES("TIMED", 0),   TABLE_FIGURES("TOTAL", 0), TABLE_FIGURES("SELF", 0),
		TABLE_FIGURES("BLOCKED", 0),
	};
	const struct cross_flow *flow = &report->flow;
	bool is_timed = report->library.is_timed;
	size_t shown = text_rows_shown(report, flow->row_count);
	struct library_figures sum = sum_figures(flow->rows, flow->row_count);
	char others[TEXT_OTHERS_SIZE];
	struct table table;

	fputs("\nCross flow: library calls by the components between which they went\n\n", renderer->out);
	table_begin(&table, columns, is_timed ? ARRAY_SIZE(columns) : 3);
	for (size_t i = 0; i < shown; i++) {
		text_escaped_cell(&table, text_component_name(report->places, flow->rows[i].caller));
		text_escaped_cell(&table, text_component_name(report->places, flow->rows[i].called));
		text_library_figures_cells(&table, &flow->rows[i].figures, is_timed);
	}
	if (shown < flow->row_count) {
		struct library_figures rest = sum_figures(flow->rows + shown, flow->row_count - shown);

		sum_cells(&table, text_others(flow->row_count - shown, others), &rest, is_timed);
	}
	sum_cells(&table, "total", &sum, is_timed);
	return text_table_print(renderer, report, &table);
}
