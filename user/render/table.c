// SPDX-License-Identifier: GPL-2.0-only
/* A table for people: columns as wide as what is in them. */
#include "render/table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"

/* A single name should not push the others off the screen for good. */
#define PART_WIDTH_MAX 40

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

#define BETWEEN 2 /* blanks between columns */

/* The least that a name is cut to. */
#define CUT_LEAST 16

static size_t row_width(const struct table *table, const int *widths)
{
	size_t width = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		if (widths[i])
			width += (size_t)widths[i] + (width ? BETWEEN : 0);
	}
	return width;
}

/* The widest column of words that can be narrower, or NULL. */
static int *find_widest(const struct table *table, int *widths)
{
	int *widest = NULL;

	for (size_t i = 0; i < table->column_count; i++) {
		int least = (int)strlen(table->columns[i].title);

		if (table->columns[i].left && widths[i] > CUT_LEAST && widths[i] > least &&
		    (!widest || widths[i] > *widest))
			widest = &widths[i];
	}
	return widest;
}

static void cut_cells(struct table *table, const int *widths)
{
	for (size_t column = 0; column < table->column_count; column++) {
		if (!table->columns[column].left || widths[column] < CUT_LEAST)
			continue;
		for (size_t i = column; i < table->cell_count; i += table->column_count)
			escape_shorten(table->cells[i], (size_t)widths[column]);
	}
}

/* As table_print() says. */
static void fit(struct table *table, int *widths)
{
	int *widest = widths;

	while (row_width(table, widths) > table->width && widest) {
		widest = find_widest(table, widths);
		if (widest)
			--*widest;
	}
	for (size_t i = table->column_count; i-- > 1 && row_width(table, widths) > table->width;)
		widths[i] = 0;
	cut_cells(table, widths);
}

static void print_row(const struct table *table, const int *widths, const char *const *cells, FILE *out)
{
	size_t last = table->column_count;

	/* No blanks at the end of a line. */
	while (last && (!*cells[last - 1] || !widths[last - 1]))
		last--;
	for (size_t i = 0; i < last; i++) {
		if (!widths[i])
			continue;
		fprintf(out, "%*s", i ? BETWEEN : 0, "");
		if (!table->columns[i].left)
			fprintf(out, "%*s", widths[i], cells[i]);
		else
			fprintf(out, "%-*s", i + 1 < last ? widths[i] : 0, cells[i]);
	}
	fputc('\n', out);
}

static void print_titles(const struct table *table, const int *widths, FILE *out)
{
	const char *titles[TABLE_COLUMNS_MAX] = { 0 };

	for (size_t i = 0; i < table->column_count; i++)
		titles[i] = widths[i] ? table->columns[i].title : "";
	print_row(table, widths, titles, out);
}

static void print_rows(const struct table *table, const int *widths, FILE *out)
{
	for (size_t i = 0; i + table->column_count <= table->cell_count; i += table->column_count)
		print_row(table, widths, (const char *const *)table->cells + i, out);
}

static int finish(struct table *table)
{
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i]);
	free(table->cells);
	return table->failed ? -ENOMEM : 0;
}

int table_print(struct table *table, FILE *out)
{
	int widths[TABLE_COLUMNS_MAX] = { 0 };

	for (size_t i = 0; i < table->column_count; i++)
		widths[i] = column_width(table, i);
	if (table->width)
		fit(table, widths);
	if (!table->failed) {
		print_titles(table, widths, out);
		print_rows(table, widths, out);
	}
	return finish(table);
}

int table_print_part(struct table *table, struct table_widths *widths, FILE *out)
{
	for (size_t i = 0; i < table->column_count; i++) {
		int title = (int)strlen(table->columns[i].title), width = column_width(table, i);

		width = width > PART_WIDTH_MAX ? PART_WIDTH_MAX : width;
		width = width > title ? width : title;
		widths->items[i] = width > widths->items[i] ? width : widths->items[i];
	}
	if (!table->failed) {
		if (!widths->has_titles)
			print_titles(table, widths->items, out);
		print_rows(table, widths->items, out);
		widths->has_titles = true;
	}
	return finish(table);
}
