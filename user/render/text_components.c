// SPDX-License-Identifier: GPL-2.0-only
/* The table of components, as text. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/units.h"

static void component_cells(struct table *table, const char *name, const struct time_figures *figures,
			    uint64_t all_ns)
{
	uint64_t blocked_ns[CATEGORY_COUNT];
	char text[UNITS_SIZE];

	table_cell(table, "%s", name);
	table_cell(table, "%s", units_format_share(figures->total_ns, all_ns, text));
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		table_cell(table, "%s", units_format_time(figures->time_ns[state], text));
	table_cell(table, "%" PRIu64, figures->calls);
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
		{ by_caller ? "CALLED BY" : "ISSUED BY", true },
		{ "SHARE", false },
		{ "RUNNING", false },
		{ "RUNNABLE", false },
		{ "BLOCKED", false },
		{ "CALLS", false },
		{ "BLOCKED IN", true },
	};
	const struct component_summary *components = &report->components;
	uint64_t all_ns = components->total.total_ns;
	size_t count = components->row_count, shown = text_rows_shown(report, count);
	char others[TEXT_OTHERS_SIZE];
	struct table table;
	int err = 0;

	fprintf(renderer->out, "\nComponents: the threads' time by who %s the system call they were in\n\n",
		by_caller ? "called for" : "issued");
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++) {
		char *name = row_name(&components->rows[i]);

		if (!name)
			err = -ENOMEM;
		component_cells(&table, name ?: "", &components->rows[i].figures, all_ns);
		free(name);
	}
	if (shown < count) {
		struct time_figures rest = component_summary_rest(components, shown);

		component_cells(&table, text_others(count - shown, others), &rest, all_ns);
	}
	component_cells(&table, "(outside of calls)", &components->outside, all_ns);
	component_cells(&table, "total", &components->total, all_ns);
	return table_print(&table, renderer->out) ?: err;
}
