// SPDX-License-Identifier: GPL-2.0-only
/* The table of where threads ran, as text. */
#include "render/text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/units.h"

static void figures_cells(struct table *table, const struct cpu_row *row, uint64_t all_samples)
{
	char low[UNITS_SIZE], high[UNITS_SIZE], text[UNITS_SIZE];

	table_cell(table, "%" PRIu64, row->samples);
	table_cell(table, "%s", units_format_share(row->samples, all_samples, text));
	table_cell(table, "%s", units_format_time(row->time.ns, text));
	table_cell(table, "%s to %s", units_format_time(row->time.low_ns, low),
		   units_format_time(row->time.high_ns, high));
}

static void kernel_cell(struct table *table, const struct place *place)
{
	char *name = text_escape_name(place->function ?: "(not known)");

	table->failed |= !name;
	table_cell(table, "%s", name ?: "");
	free(name);
}

static void row_cells(struct table *table, const struct report *report, size_t i)
{
	const struct cpu_row *row = &report->cpu.rows[i];
	const struct places *places = report->places;

	if (row->place != PLACE_NONE)
		text_place_cell(table, places, row->place);
	else
		table_cell(table, "%s", row->kernel == PLACE_NONE ? "(not known)" : "(only the kernel)");
	if (row->kernel == PLACE_NONE)
		table_cell(table, "%s", "");
	else
		kernel_cell(table, &places->items[row->kernel]);
	figures_cells(table, row, report->cpu.samples);
}

/* How long the threads ran in all is no estimate. */
static void sum_cells(struct table *table, const struct report *report, size_t first)
{
	const struct cpu_row rest = cpu_summary_rest(&report->cpu, first);
	char text[UNITS_SIZE];

	table_cell(table, "%s", "");
	if (first) {
		figures_cells(table, &rest, report->cpu.samples);
		return;
	}
	table_cell(table, "%" PRIu64, report->cpu.samples);
	table_cell(table, "%s", "");
	table_cell(table, "%s", units_format_time(report->cpu.running_ns, text));
	table_cell(table, "%s", "exact");
}

int text_cpu(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("FUNCTION", 0), TABLE_WORDS("IN THE KERNEL", 1), TABLE_FIGURES("SAMPLES", 1),
		TABLE_FIGURES("SHARE", 0),  TABLE_FIGURES("RUNNING", 0),     TABLE_WORDS("95% INTERVAL", 2),
	};
	const struct text_table table = { columns, ARRAY_SIZE(columns), report->cpu.row_count, row_cells,
					  sum_cells };

	fprintf(renderer->out,
		"\nCPU: the threads' running time by where they were found, %u times a second\n\n",
		report->options.frequency);
	return text_table_of_rows(renderer, report, &table);
}
