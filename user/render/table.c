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
	char **cells = array_reserve(table->cells, table->cell_count, &table->cell_capacity,
				     sizeof(*cells));
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

static int column_width(const struct table *table, size_t column)
{
	size_t width = strlen(table->columns[column].title);

	for (size_t i = column; i < table->cell_count; i += table->column_count) {
		size_t length = strlen(table->cells[i]);

		width = length > width ? length : width;
	}
	return (int)width;
}

static void print_cell(const struct table *table, size_t column, int width, const char *text,
		       FILE *out)
{
	const char *gap = column ? "  " : "";

	if (!table->columns[column].left)
		fprintf(out, "%s%*s", gap, width, text);
	else if (column + 1 < table->column_count)
		fprintf(out, "%s%-*s", gap, width, text);
	else
		fprintf(out, "%s%s", gap, text); /* no blanks at the end of a line */
	if (column + 1 == table->column_count)
		fputc('\n', out);
}

int table_print(struct table *table, FILE *out)
{
	size_t columns = table->column_count;
	int widths[columns];

	for (size_t i = 0; i < columns; i++)
		widths[i] = column_width(table, i);
	for (size_t i = 0; i < columns && !table->failed; i++)
		print_cell(table, i, widths[i], table->columns[i].title, out);
	for (size_t i = 0; i < table->cell_count; i++) {
		if (!table->failed)
			print_cell(table, i % columns, widths[i % columns], table->cells[i], out);
		free(table->cells[i]);
	}
	free(table->cells);
	return table->failed ? -ENOMEM : 0;
}
