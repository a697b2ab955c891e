// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains as text: a tree of what waits were made of, and the longest ones moment by moment. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>

#include "base/array.h"
#include "base/units.h"
#include "render/table.h"

#define LEAST_PERCENT 1 /* of a whole wait: what explains less is summed */
#define EXAMPLES      3 /* of longest waits, with so many rows each */
#define EXAMPLE_ROWS  24

static void idle_cell(struct table *table, uint64_t idle_ns)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", idle_ns ? units_format_time(idle_ns, text) : "");
}

static void others_cells(struct table *table, size_t count, uint64_t total_ns, const struct chain_row *above)
{
	char text[UNITS_SIZE], others[TEXT_OTHERS_SIZE];

	table_cell(table, "%s", units_format_share(total_ns, above->whole_ns, text));
	table_cell(table, "%s", units_format_time(total_ns, text));
	for (int i = 0; i < 4; i++)
		table_cell(table, "%s", "");
	table_cell(table, "%*s%s", (int)(TEXT_CHAIN_INDENT * (above->depth + 1)), "",
		   text_others(count, others));
	table_end_row(table);
}

/* A row and what explains it; recursive as chains are, which are no deeper than CHAIN_DEPTH_LIMIT. */
static void row_cells(struct table *table, const struct report *report, const struct chain_row *row)
{
	const struct chain_row *end = row + row->below + 1;
	uint64_t others_ns = 0;
	size_t others = 0;

	text_chain_figures_cells(table, row->total_ns, row->whole_ns, row->count, row->longest_ns);
	idle_cell(table, row->idle_ns);
	text_chain_what_cell(table, report, &row->what, NULL, row->depth);
	text_chain_place_cells(table, report, &row->what);
	for (const struct chain_row *child = row + 1; child < end; child += child->below + 1) {
		if (child->total_ns * 100 >= child->whole_ns * LEAST_PERCENT) {
			row_cells(table, report, child);
			continue;
		}
		others_ns += child->total_ns;
		others++;
	}
	if (others)
		others_cells(table, others, others_ns, row);
}

static void rest_cells(struct table *table, const struct chain_report *chains, const struct chain_row *first,
		       size_t count)
{
	const struct chain_row *end = chains->rows + chains->row_count;
	uint64_t total_ns = 0, idle_ns = 0, waits = 0;
	char text[UNITS_SIZE], others[TEXT_OTHERS_SIZE];

	for (const struct chain_row *row = first; row < end; row += row->below + 1) {
		total_ns += row->total_ns;
		idle_ns += row->idle_ns;
		waits += row->count;
	}
	table_cell(table, "%s", "");
	table_cell(table, "%s", units_format_time(total_ns, text));
	table_cell(table, "%" PRIu64, waits);
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	idle_cell(table, idle_ns);
	table_cell(table, "%s", text_others(count, others));
	table_end_row(table);
}

static int print_tree(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_FIGURES("SHARE", 0),  TABLE_FIGURES("TOTAL", 0),     TABLE_FIGURES("COUNT", 0),
		TABLE_FIGURES("MEAN", 3),   TABLE_FIGURES("MAX", 2),       TABLE_FIGURES("IDLE", 2),
		TABLE_TREE("CHAIN"),        TABLE_WORDS("SYSTEM CALL", 2), TABLE_WORDS("ON", 1),
		TABLE_WORDS("FUNCTION", 1), TABLE_WORDS("CALLED BY", 2),
	};
	const struct chain_report *chains = &report->chains;
	const struct chain_row *row = chains->rows;
	size_t shown = text_rows_shown(report, chains->top_count);
	struct table table;

	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++, row += row->below + 1)
		row_cells(&table, report, row);
	if (shown < chains->top_count)
		rest_cells(&table, chains, row, chains->top_count - shown);
	return text_table_print(renderer, report, &table);
}

static void segment_cells(struct table *table, const struct report *report,
			  const struct chain_segment *segment)
{
	const struct chain_what what = chain_what_of(&report->graph, segment->kind, segment->shape);
	char text[UNITS_SIZE];

	text_clock_cell(table, report, segment->from_ns);
	table_cell(table, "%s", units_format_time(segment->to_ns - segment->from_ns, text));
	text_chain_what_cell(table, report, &what, wait_graph_thread(&report->graph, segment->task),
			     segment->depth);
	text_chain_place_cells(table, report, &what);
}

static int print_example(struct renderer *renderer, const struct report *report,
			 const struct chain_example *example)
{
	static const struct table_column columns[] = {
		TABLE_FIGURES("FROM (s)", 0),  TABLE_FIGURES("LENGTH", 0), TABLE_TREE("CHAIN"),
		TABLE_WORDS("SYSTEM CALL", 2), TABLE_WORDS("ON", 1),       TABLE_WORDS("FUNCTION", 1),
		TABLE_WORDS("CALLED BY", 2),
	};
	uint64_t least_ns = (example->whole.to_ns - example->whole.from_ns) * LEAST_PERCENT / 100;
	size_t shown = 0, left_out = example->left_out;
	struct table table;

	fputc('\n', renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	segment_cells(&table, report, &example->whole);
	for (size_t i = 0; i < example->count; i++) {
		const struct chain_segment *segment = &example->segments[i];

		if (!report_shows_depth(&report->options, segment->depth))
			continue;
		if (segment->to_ns - segment->from_ns < least_ns || shown == EXAMPLE_ROWS) {
			left_out++;
			continue;
		}
		segment_cells(&table, report, segment);
		shown++;
	}
	if (text_table_print(renderer, report, &table))
		return -ENOMEM;
	if (left_out)
		fprintf(renderer->out, "and %zu more, or shorter than %d %%\n", left_out, LEAST_PERCENT);
	return 0;
}

int text_chains(struct renderer *renderer, const struct report *report)
{
	const struct chain_report *chains = &report->chains;
	const struct chain_row *row = chains->rows;
	char total[UNITS_SIZE], idle[UNITS_SIZE];
	int err;

	if (!chains->top_count) {
		fputs("\nWait chains: no thread waited.\n", renderer->out);
		return 0;
	}
	fprintf(renderer->out,
		"\nWait chains: what the threads' waits were made of, each attributed to what ended it and "
		"what that had been doing\n%" PRIu64 " waits, %s",
		chains->count, units_format_time(chains->total_ns, total));
	if (chains->idle_ns)
		fprintf(renderer->out, ", of which %s idle, for nothing had been offered to do",
			units_format_time(chains->idle_ns, idle));
	fputs("\n\n", renderer->out);
	err = print_tree(renderer, report);
	if (!err)
		fputs("\nThe longest of these waits, of those at the top:\n", renderer->out);
	for (size_t i = 0; i < chains->top_count && i < EXAMPLES && !err; i++, row += row->below + 1) {
		/* Nobody asks why idle threads wait. */
		if (row->idle_ns <= row->total_ns / 2)
			err = print_example(renderer, report, row->longest);
	}
	return err;
}
