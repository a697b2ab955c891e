// SPDX-License-Identifier: GPL-2.0-only
/* The table of library calls, as text, and which functions' calls were not counted. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"

#define CALLERS_SHOWN 3

static void escaped_cell(struct table *table, const char *text)
{
	char *escaped = text_escape_name(text);

	table->failed |= !escaped;
	table_cell(table, "%s", escaped ?: "");
	free(escaped);
}

static void function_cell(struct table *table, const struct library_row *row)
{
	char *name = text_escape_name(row->name), *version = text_escape_name(row->function->version ?: "");

	table->failed |= !name || !version;
	table_cell(table, "%s%s%s", name ?: "", row->function->version ? "@" : "", version ?: "");
	free(name);
	free(version);
}

/* "server 80.0%, libssl.so.3 19.9%, ...". */
static void callers_cell(struct table *table, const struct places *places, const struct library_row *row)
{
	char *list = NULL, share[UNITS_SIZE] = "";
	size_t size;
	FILE *out = open_memstream(&list, &size);

	table->failed |= !out;
	for (size_t i = 0; i < row->caller_count && i < CALLERS_SHOWN && out; i++) {
		size_t component = row->callers[i].component;
		char *name = text_escape_name(component == PLACE_NONE ? "[unknown]" :
									places->components[component].name);

		if (row->caller_count > 1)
			units_format_share(row->callers[i].calls, row->calls, share);
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

static void sum_cells(struct table *table, const char *name, uint64_t calls)
{
	table_cell(table, "%s", name);
	table_cell(table, "%s", "");
	table_cell(table, "%" PRIu64, calls);
	table_cell(table, "%s", "");
}

int text_library(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		{ "LIBRARY", true },
		{ "FUNCTION", true },
		{ "CALLS", false },
		{ "CALLED BY", true },
	};
	const struct library_summary *library = &report->library;
	size_t shown = text_rows_shown(report, library->row_count);
	char others[TEXT_OTHERS_SIZE];
	struct table table;
	uint64_t rest = 0;

	fputs("\nLibrary calls: how often one component called the functions of another, by probes\n\n",
	      renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < library->row_count; i++) {
		const struct library_row *row = &library->rows[i];

		if (i >= shown) {
			rest += row->calls;
			continue;
		}
		escaped_cell(&table, row->function->library);
		function_cell(&table, row);
		table_cell(&table, "%" PRIu64, row->calls);
		callers_cell(&table, &report->places, row);
	}
	if (shown < library->row_count)
		sum_cells(&table, text_others(library->row_count - shown, others), rest);
	sum_cells(&table, "total", library->calls);
	return table_print(&table, renderer->out);
}

/* How many functions before this one are left out for the same reason. */
static size_t count_before(const struct library_functions *functions, size_t index)
{
	size_t count = 0;

	for (size_t i = 0; i < index; i++)
		count += functions->items[i].omitted &&
			 !strcmp(functions->items[i].omitted, functions->items[index].omitted);
	return count;
}

#define NAMES_SHOWN 3

/* One line for each reason, with the first few names. */
int text_library_omissions(struct renderer *renderer, const struct library_functions *functions)
{
	for (size_t i = 0; functions && i < functions->count; i++) {
		const char *reason = functions->items[i].omitted;
		size_t count = 0;

		if (!reason || count_before(functions, i))
			continue;
		fputs("left out: calls of", renderer->out);
		for (size_t j = i; j < functions->count; j++) {
			char *name;

			if (!functions->items[j].omitted || strcmp(functions->items[j].omitted, reason) ||
			    ++count > NAMES_SHOWN)
				continue;
			name = text_escape_name(functions->items[j].symbol);
			if (!name)
				return -ENOMEM;
			fprintf(renderer->out, "%s %s", count > 1 ? "," : "", name);
			free(name);
		}
		if (count > NAMES_SHOWN)
			fprintf(renderer->out, " and %zu other functions", count - NAMES_SHOWN);
		fprintf(renderer->out, ": %s\n", reason);
	}
	return 0;
}
