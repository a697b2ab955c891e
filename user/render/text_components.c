// SPDX-License-Identifier: GPL-2.0-only
/* The table of components, as text. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/units.h"

static void states_cells(struct table *table, const struct report *report, const struct time_figures *figures,
			 bool is_sampled)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", units_format_time(figures->time_ns[SCALER_RUNNING], text));
	if (is_sampled)
		text_interval_cell(table, report, figures);
	else
		table_cell(table, "%s", "");
	table_cell(table, "%s", units_format_time(figures->time_ns[SCALER_RUNNABLE], text));
	table_cell(table, "%s", units_format_time(figures->time_ns[SCALER_BLOCKED], text));
}

static void component_cells(struct table *table, const struct report *report, const char *name,
			    const struct time_figures *figures, bool is_sampled)
{
	uint64_t blocked_ns[CATEGORY_COUNT];
	char text[UNITS_SIZE];

	table_cell(table, "%s", name);
	table_cell(table, "%s",
		   units_format_share(figures->total_ns, report->components.total.total_ns, text));
	states_cells(table, report, figures, is_sampled);
	table_cell(table, "%s%" PRIu64, text_sampled_mark(&figures->calls_sampled), figures->calls);
	for (int category = 0; category < CATEGORY_COUNT; category++)
		blocked_ns[category] = figures->categories[category].blocked_ns;
	text_categories_cell(table, blocked_ns, figures->time_ns[SCALER_BLOCKED]);
}

/* In memory of its own for the caller to free; NULL without memory. */
static char *row_name(const struct component_row *row)
{
	char *name;

	if (row->component)
		return text_escape_name(row->component->name);
	return asprintf(&name, "(cut: %s)", row->cut) < 0 ? NULL : name;
}

int text_components(struct renderer *renderer, const struct report *report)
{
	const bool by_caller = report->options.component_of == COMPONENT_OF_CALLING;
	const struct table_column columns[] = {
		TABLE_WORDS(by_caller ? "CALLED BY" : "ISSUED BY", 0),
		TABLE_FIGURES("SHARE", 0),
		TABLE_FIGURES("RUNNING", 0),
		TABLE_WORDS("95% INTERVAL", 3),
		TABLE_FIGURES("RUNNABLE", 0),
		TABLE_FIGURES("BLOCKED", 0),
		TABLE_FIGURES("CALLS", 1),
		TABLE_WORDS("BLOCKED IN", 2),
	};
	const struct component_summary *components = &report->components;
	size_t count = components->row_count, shown = text_rows_shown(report, count);
	char others[TEXT_OTHERS_SIZE];
	struct table table;
	int err = 0;

	fprintf(renderer->out, "\nComponents: the threads' time by who %s the system call they were in%s\n\n",
		by_caller ? "called for" : "issued",
		report->outside.samples ? ", or was running in none" : "");
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++) {
		char *name = row_name(&components->rows[i]);

		if (!name)
			err = -ENOMEM;
		component_cells(&table, report, name ?: "", &components->rows[i].figures, true);
		free(name);
	}
	if (shown < count) {
		struct time_figures rest = component_summary_rest(components, shown);

		component_cells(&table, report, text_others(count - shown, others), &rest, true);
	}
	component_cells(&table, report, "(outside of calls)", &components->outside, false);
	component_cells(&table, report, "total", &components->total, false);
	return text_table_print(renderer, report, &table) ?: err;
}
