// SPDX-License-Identifier: GPL-2.0-only
/* A table for people: columns as wide as what is in them. */
#include "render/table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void table_begin(struct table *table, const struct table_column *columns, size_t column_count)
{
	*table = (struct table){ .columns = columns, .column_count = column_count };
}

void table_cell(struct table *table, const char *format, ...)
{
	char **cells = array_reserve(table->cells, table->cell_count, &table->cell_capacity, sizeof(*cells));
	va_list arguments;

	if (!cells) {
		table->failed = true;
		return;
	}
	table->cells = cells;
	va_start(arguments, format);
	if (vasprintf(&cells[table->cell_count], format, arguments) < 0)
		table->failed = true;
	else
		table->cell_count++;
	va_end(arguments);
}

/* 0: there are rows, but nothing in any of them. */
static int column_width(const struct table *table, size_t column)
{
	size_t title = strlen(table->columns[column].title), width = 0;

	for (size_t i = column; i < table->cell_count; i += table->column_count) {
		size_t length = strlen(table->cells[i]);

		width = length > width ? length : width;
	}
	if (!width && table->cell_count)
		return 0;
	return (int)(width > title ? width : title);
}

static void print_row(const struct table *table, const int *widths, const char *const *cells, FILE *out)
{
	size_t last = table->column_count;

	/* No blanks at the end of a line. */
	while (last && !*cells[last - 1])
		last--;
	for (size_t i = 0; i < last; i++) {
		if (!widths[i])
			continue;
		fputs(i ? "  " : "", out);
		if (!table->columns[i].left)
			fprintf(out, "%*s", widths[i], cells[i]);
		else
			fprintf(out, "%-*s", i + 1 < last ? widths[i] : 0, cells[i]);
	}
	fputc('\n', out);
}

static void print_rows(const struct table *table, FILE *out)
{
	size_t columns = table->column_count;
	const char *titles[TABLE_COLUMNS_MAX] = { 0 };
	int widths[TABLE_COLUMNS_MAX] = { 0 };

	for (size_t i = 0; i < columns; i++) {
		widths[i] = column_width(table, i);
		titles[i] = widths[i] ? table->columns[i].title : "";
	}
	print_row(table, widths, titles, out);
	for (size_t i = 0; i + columns <= table->cell_count; i += columns)
		print_row(table, widths, (const char *const *)table->cells + i, out);
}

int table_print(struct table *table, FILE *out)
{
	if (!table->failed)
		print_rows(table, out);
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i]);
	free(table->cells);
	return table->failed ? -ENOMEM : 0;
}
