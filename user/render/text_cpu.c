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

static void row_cells(struct table *table, const struct places *places, const struct cpu_row *row,
		      uint64_t all_samples)
{
	if (row->place != PLACE_NONE)
		text_place_cell(table, places, row->place);
	else
		table_cell(table, "%s", row->kernel == PLACE_NONE ? "(not known)" : "(only the kernel)");
	if (row->kernel == PLACE_NONE)
		table_cell(table, "%s", "");
	else
		kernel_cell(table, &places->items[row->kernel]);
	figures_cells(table, row, all_samples);
}

int text_cpu(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("FUNCTION", 0), TABLE_WORDS("IN THE KERNEL", 1), TABLE_FIGURES("SAMPLES", 1),
		TABLE_FIGURES("SHARE", 0),  TABLE_FIGURES("RUNNING", 0),     TABLE_WORDS("95% INTERVAL", 2),
	};
	const struct cpu_summary *cpu = &report->cpu;
	size_t count = cpu->row_count, shown = text_rows_shown(report, count);
	char others[TEXT_OTHERS_SIZE], text[UNITS_SIZE];
	struct table table;

	fprintf(renderer->out,
		"\nCPU: the threads' running time by where they were found, %u times a second\n\n",
		report->options.frequency);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++)
		row_cells(&table, report->places, &cpu->rows[i], cpu->samples);
	if (shown < count) {
		struct cpu_row rest = cpu_summary_rest(cpu, shown);

		table_cell(&table, "%s", text_others(count - shown, others));
		table_cell(&table, "%s", "");
		figures_cells(&table, &rest, cpu->samples);
	}
	table_cell(&table, "%s", "total");
	table_cell(&table, "%s", "");
	table_cell(&table, "%" PRIu64, cpu->samples);
	table_cell(&table, "%s", "");
	table_cell(&table, "%s", units_format_time(cpu->running_ns, text));
	table_cell(&table, "%s", "exact");
	return text_table_print(renderer, report, &table);
}
