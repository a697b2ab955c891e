// SPDX-License-Identifier: GPL-2.0-only
/* The table of library calls between components. */
#include "render/tables.h"

#include "base/array.h"
#include "render/library_columns.h"
#include "render/text.h"

/* Calls between two components may be within calls between others. */
static void flow_rest(const struct report *report, size_t first, void *item)
{
	struct cross_flow_row *row = item;

	*row = (struct cross_flow_row){ 0 };
	for (size_t i = first; i < report->flow.row_count; i++)
		library_figures_add_sum(&row->figures, &report->flow.rows[i].figures);
	row->figures.total = row->figures.self;
}

static void caller_cell(struct table *table, const struct report *report, const void *item)
{
	const struct cross_flow_row *row = item;

	text_escaped_cell(table, text_component_name(report->places, row->caller));
}

static void called_cell(struct table *table, const struct report *report, const void *item)
{
	const struct cross_flow_row *row = item;

	text_escaped_cell(table, text_component_name(report->places, row->called));
}

/* A column in a line or two. */
/* clang-format off */
static const struct column columns[] = {
	{ COLUMN_COMPONENT, 0, "CALLER", "caller", "null: not known", FIELD(struct cross_flow_row, caller),
	  .cell = caller_cell },
	{ COLUMN_COMPONENT, 0, "CALLED", "called", "null: not known", FIELD(struct cross_flow_row, called),
	  .cell = called_cell },
	LIBRARY_FIGURES_COLUMNS,
};
/* clang-format on */

const struct report_table report_table_flow = {
	.member = "flow",
	.help = "Library calls by the components between which they went; longest total first, then most "
		"calls, if --sort "
		"says nothing else. In the total there is nothing of calls within calls between the same "
		"two.",
	.row_type = ROW_TYPE(columns, struct cross_flow_row),
	.rows = TABLE_ROWS(flow.rows, flow.row_count),
	.rest = flow_rest,
};

int text_flow(struct renderer *renderer, const struct report *report)
{
	fputs("\nCross flow: library calls by the components between which they went\n\n", renderer->out);
	return text_report_table(renderer, report, &report_table_flow);
}
