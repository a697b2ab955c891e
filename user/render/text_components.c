// SPDX-License-Identifier: GPL-2.0-only
/* The table of components, as text. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "model/syscalls.h"
#include "render/table.h"

/* The categories that most of the time was blocked in, "network 80.0%, sync 19.9%". */
static void categories_cell(struct table *table, const struct component_figures *figures)
{
	uint64_t left[CATEGORY_COUNT], all = figures->time_ns[SCALER_BLOCKED];
	char list[3 * (16 + UNITS_SIZE)] = "", text[UNITS_SIZE];
	size_t length = 0;

	memcpy(left, figures->blocked_ns, sizeof(left));
	for (int shown = 0; shown < 3; shown++) {
		int most = 0;

		for (int category = 1; category < CATEGORY_COUNT; category++)
			most = left[category] > left[most] ? category : most;
		if (!left[most])
			break;
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s %s", shown ? ", " : "",
					   syscall_category_name(most),
					   units_format_share(left[most], all, text));
		left[most] = 0;
	}
	table_cell(table, "%s", list);
}

static void component_cells(struct table *table, const char *name, const struct component_figures *figures,
			    uint64_t all_ns)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", name);
	table_cell(table, "%s", units_format_share(figures->total_ns, all_ns, text));
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		table_cell(table, "%s", units_format_time(figures->time_ns[state], text));
	table_cell(table, "%" PRIu64, figures->calls);
	categories_cell(table, figures);
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
	size_t last = components->row_count - 1, shown = text_rows_shown(report, last);
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
	if (shown < last) {
		struct component_figures rest = component_summary_rest(components, shown);

		component_cells(&table, text_others(last - shown, others), &rest, all_ns);
	}
	component_cells(&table, "(outside of calls)", &components->rows[last].figures, all_ns);
	component_cells(&table, "total", &components->total, all_ns);
	return table_print(&table, renderer->out) ?: err;
}
