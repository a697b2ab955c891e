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

void table_end_row(struct table *table)
{
	while (!table->failed && table->cell_count % table->column_count)
		table_cell(table, "%s", "");
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

/* The least that a word is cut to, and what it should have room for before a column that matters less is there. */
#define CUT_LEAST 16
#define CUT_ROOM  24

static size_t row_width(const struct table *table, const int *widths)
{
	size_t width = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		if (widths[i])
			width += (size_t)widths[i] + (width ? BETWEEN : 0);
	}
	return width;
}

/* How narrow a column may become. */
static int cut_width(const struct table_column *column, int width, int least)
{
	int title = (int)strlen(column->title);

	least = least > title ? least : title;
	least = least > column->least ? least : column->least;
	return column->left && width > least ? least : width;
}

/* Of a row whose words are cut so far. */
static size_t cut_row_width(const struct table *table, const int *widths, int least)
{
	int cut[TABLE_COLUMNS_MAX];

	for (size_t i = 0; i < table->column_count; i++)
		cut[i] = cut_width(&table->columns[i], widths[i], least);
	return row_width(table, cut);
}

/* The column that goes next; 0: none, for the first one stays. */
static size_t find_first_to_go(const struct table *table, const int *widths)
{
	size_t first = 0;

	for (size_t i = 1; i < table->column_count; i++) {
		if (widths[i] && (!first || table->columns[i].rank >= table->columns[first].rank))
			first = i;
	}
	return first;
}

static void choose_columns(struct table *table, int *widths)
{
	size_t next = find_first_to_go(table, widths);

	while (next && cut_row_width(table, widths, table->columns[next].rank ? CUT_ROOM : CUT_LEAST) >
			       table->width) {
		widths[next] = 0;
		table->hidden++;
		next = find_first_to_go(table, widths);
	}
}

/* The widest column of words that can be narrower, or NULL. */
static int *find_widest(const struct table *table, int *widths)
{
	int *widest = NULL;

	for (size_t i = 0; i < table->column_count; i++) {
		if (widths[i] > cut_width(&table->columns[i], widths[i], CUT_LEAST) &&
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

	choose_columns(table, widths);
	while (row_width(table, widths) > table->width && widest) {
		widest = find_widest(table, widths);
		if (widest)
			--*widest;
	}
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
	if (table->width) {
		fit(table, widths);
		cut_cells(table, widths);
	}
	if (!table->failed) {
		print_titles(table, widths, out);
		print_rows(table, widths, out);
	}
	return finish(table);
}

static void widen(const struct table *table, struct table_widths *widths)
{
	for (size_t i = 0; i < table->column_count; i++) {
		int title = (int)strlen(table->columns[i].title), width = column_width(table, i);

		width = width > PART_WIDTH_MAX ? PART_WIDTH_MAX : width;
		width = width > title ? width : title;
		widths->items[i] = width > widths->items[i] ? width : widths->items[i];
	}
}

int table_print_part(struct table *table, struct table_widths *widths, FILE *out)
{
	if (!widths->is_narrow)
		widen(table, widths);
	if (table->width && row_width(table, widths->items) > table->width) {
		fit(table, widths->items);
		widths->is_narrow = true;
	}
	if (widths->is_narrow)
		cut_cells(table, widths->items);
	if (!table->failed) {
		if (!widths->has_titles)
			print_titles(table, widths->items, out);
		print_rows(table, widths->items, out);
		widths->has_titles = true;
	}
	return finish(table);
}
