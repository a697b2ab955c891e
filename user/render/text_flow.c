// SPDX-License-Identifier: GPL-2.0-only
/* The table of library calls between components, as text. */
#include "render/text.h"

#include "base/array.h"

static void row_cells(struct table *table, const struct report *report, size_t i)
{
	const struct cross_flow_row *row = &report->flow.rows[i];

	text_escaped_cell(table, text_component_name(report->places, row->caller));
	text_escaped_cell(table, text_component_name(report->places, row->called));
	text_library_figures_cells(table, &row->figures, report->library.is_timed);
}

static void sum_cells(struct table *table, const struct report *report, size_t first)
{
	struct library_figures sum = { 0 };

	for (size_t i = first; i < report->flow.row_count; i++)
		library_figures_add_sum(&sum, &report->flow.rows[i].figures);
	/* Calls between two components may be within calls between others. */
	sum.total = sum.self;
	table_cell(table, "%s", "");
	text_library_figures_cells(table, &sum, report->library.is_timed);
}

int text_flow(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("CALLER", 0),    TABLE_WORDS("CALLED", 0),  TABLE_FIGURES("CALLS", 0),
		TABLE_FIGURES("TIMED", 0),   TABLE_FIGURES("TOTAL", 0), TABLE_FIGURES("SELF", 0),
		TABLE_FIGURES("BLOCKED", 0),
	};
	const struct text_table table = { columns, report->library.is_timed ? ARRAY_SIZE(columns) : 3,
					  report->flow.row_count, row_cells, sum_cells };

	fputs("\nCross flow: library calls by the components between which they went\n\n", renderer->out);
	return text_table_of_rows(renderer, report, &table);
}
