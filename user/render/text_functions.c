// SPDX-License-Identifier: GPL-2.0-only
/* The table of functions, as text. */
#include "render/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/units.h"
#include "model/profile.h"

#define CALLERS_SHOWN 2

/* The callers that most of the time is due to: "server:main 80.0%, server:work 19.9%, ...". */
static void callers_cell(struct table *table, const struct places *places, const struct function_row *row)
{
	char *list = NULL, share[UNITS_SIZE] = "";
	size_t size;
	FILE *out = open_memstream(&list, &size);

	table->failed |= !out;
	for (size_t i = 0; i < row->caller_count && i < CALLERS_SHOWN && out; i++) {
		char *name = text_format_place(places, row->callers[i].place);

		if (row->caller_count > 1)
			units_format_share(row->callers[i].sum.total_ns, row->figures.total_ns, share);
		fprintf(out, "%s%s%s%s", i ? ", " : "", name ?: "", *share ? " " : "", share);
		table->failed |= !name;
		free(name);
	}
	if (row->caller_count > CALLERS_SHOWN && out)
		fputs(", ...", out);
	if (out)
		table->failed |= fclose(out) != 0;
	table_cell(table, "%s", list ?: "");
	free(list);
}

static void figures_cells(struct table *table, const struct report *report,
			  const struct time_figures *figures, bool is_sampled)
{
	uint64_t total_ns[CATEGORY_COUNT];
	char text[UNITS_SIZE];

	table_cell(table, "%s",
		   units_format_share(figures->total_ns, report->functions.total.total_ns, text));
	table_cell(table, "%s", units_format_time(figures->total_ns, text));
	table_cell(table, "%s", units_format_time(figures->time_ns[SCALER_RUNNING], text));
	if (is_sampled)
		text_interval_cell(table, report, figures);
	else
		table_cell(table, "%s", "");
	table_cell(table, "%s", units_format_time(figures->time_ns[SCALER_BLOCKED], text));
	table_cell(table, "%s%" PRIu64, text_sampled_mark(&figures->calls_sampled), figures->calls);
	table_cell(table, "%" PRIu64, figures->errors);
	for (int category = 0; category < CATEGORY_COUNT; category++)
		total_ns[category] = figures->categories[category].total_ns;
	text_categories_cell(table, total_ns, figures->total_ns);
}

/* How often probes saw it called, by all; empty, if there are no probes at all. */
static void called_cell(struct table *table, const struct report *report, const struct function_row *row)
{
	if (row->is_probed)
		table_cell(table, "%s%" PRIu64,
			   row->is_probed_in_part ? ">=" : text_sampled_mark(&row->probed.sampled),
			   row->probed.calls);
	else
		table_cell(table, "%s", report->library.functions ? "-" : "");
}

static void row_cells(struct table *table, const struct report *report, const struct function_row *row)
{
	const struct places *places = report->places;
	const struct call_path *path = &row->path;

	if (path->entered == PLACE_NONE)
		table_cell(table, "(cut: %s)", stack_end_text(path->cut));
	else
		text_place_cell(table, places, path->entered);
	if (path->innermost == path->entered)
		table_cell(table, "%s", "");
	else
		text_place_cell(table, places, path->innermost);
	figures_cells(table, report, &row->figures, true);
	called_cell(table, report, row);
	callers_cell(table, places, row);
}

static void sum_cells(struct table *table, const struct report *report, const char *name,
		      const struct time_figures *figures, bool is_sampled)
{
	table_cell(table, "%s", name);
	table_cell(table, "%s", "");
	figures_cells(table, report, figures, is_sampled);
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
}

int text_functions(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("FUNCTION", 0),  TABLE_WORDS("BY WAY OF", 2),  TABLE_FIGURES("SHARE", 0),
		TABLE_FIGURES("TOTAL", 0),   TABLE_FIGURES("RUNNING", 0),  TABLE_WORDS("95% INTERVAL", 4),
		TABLE_FIGURES("BLOCKED", 0), TABLE_FIGURES("SYSCALLS", 1), TABLE_FIGURES("ERRORS", 3),
		TABLE_WORDS("TIME IN", 3),   TABLE_FIGURES("CALLED", 2),   TABLE_WORDS("CALLED BY", 1),
	};
	const struct function_summary *functions = &report->functions;
	size_t count = functions->row_count, shown = text_rows_shown(report, count);
	char others[TEXT_OTHERS_SIZE];
	struct table table;

	fprintf(renderer->out,
		"\nFunctions: the threads' time in system calls%s by the library function that the "
		"application "
		"had called\n\n",
		report->outside.samples ? " and running in none" : "");
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++)
		row_cells(&table, report, &functions->rows[i]);
	if (shown < count) {
		struct time_figures rest = function_summary_rest(functions, shown);

		sum_cells(&table, report, text_others(count - shown, others), &rest, true);
	}
	sum_cells(&table, report, "(outside of calls)", &functions->outside, false);
	sum_cells(&table, report, "total", &functions->total, false);
	return text_table_print(renderer, report, &table);
}
