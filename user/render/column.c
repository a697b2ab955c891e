// SPDX-License-Identifier: GPL-2.0-only
/* Tables as data, on the screen. */
#include "render/column.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "render/text.h"

/* Of the rows of another type, in one cell. */
#define LISTED 3

static uint64_t field_value(const void *row, size_t offset, size_t bytes)
{
	const char *field = (const char *)row + offset;
	uint64_t number = 0;

	/* Of either byte order. */
	if (bytes == sizeof(uint64_t))
		memcpy(&number, field, sizeof(number));
	else if (bytes == sizeof(uint32_t))
		number = *(const uint32_t *)field;
	else
		number = *(const uint8_t *)field;
	return number;
}

static bool lacks_value(enum column_kind kind, const struct value *value)
{
	switch (kind) {
	case COLUMN_ID:
	case COLUMN_MOMENT:
		return !value->number;
	case COLUMN_PLACE:
	case COLUMN_COMPONENT:
		return value->number == PLACE_NONE;
	case COLUMN_NAME:
	case COLUMN_WORD:
		return !value->text;
	default:
		return false;
	}
}

struct value column_value(const struct column *column, const struct report *report, const void *row,
			  char buffer[VALUE_TEXT_SIZE])
{
	struct value value = { .mark = column->mark ? column->mark(row) : "" };

	if (column->is_there && !column->is_there(row)) {
		value.is_none = true;
		return value;
	}
	if (column->has_field)
		value.number = field_value(row, column->offset, column->bytes);
	else if (column->number)
		value.number = column->number(row);
	else if (column->text)
		value.text = column->text(row, buffer);
	else if (column->value)
		column->value(&value, report, row);
	value.is_none |= lacks_value(column->kind, &value);
	return value;
}

static bool is_figure(enum column_kind kind)
{
	return kind == COLUMN_COUNT || kind == COLUMN_ID || kind == COLUMN_TIME || kind == COLUMN_MOMENT ||
	       kind == COLUMN_SHARE;
}

size_t row_type_titles(const struct row_type *type, struct table_column titles[TABLE_COLUMNS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < type->column_count && count < TABLE_COLUMNS_MAX; i++) {
		const struct column *column = &type->columns[i];

		if (column->title)
			titles[count++] = (struct table_column){
				.title = column->title,
				.left = !is_figure(column->kind),
				.rank = column->rank,
				.least = column->is_tree ? TABLE_TREE_LEAST : 0,
			};
	}
	return count;
}

static void figure_cell(struct table *table, const struct report *report, const struct column *column,
			const struct value *value)
{
	char text[UNITS_SIZE];

	switch (column->kind) {
	case COLUMN_TIME:
		table_cell(table, "%s%s", value->mark, units_format_time(value->number, text));
		break;
	case COLUMN_SHARE:
		table_cell(table, "%s", units_format_share(value->number, value->whole, text));
		break;
	case COLUMN_MOMENT:
		text_clock_cell(table, report, value->number);
		break;
	default:
		table_cell(table, "%s%" PRIu64, value->mark, value->number);
	}
}

static void value_cell(struct table *table, const struct report *report, const struct column *column,
		       const void *row)
{
	char buffer[VALUE_TEXT_SIZE];
	const struct value value = column_value(column, report, row, buffer);

	if (value.is_none || (column->hides_zero && !value.number))
		table_cell(table, "%s", "");
	else if (is_figure(column->kind))
		figure_cell(table, report, column, &value);
	else if (column->kind == COLUMN_PLACE)
		text_place_cell(table, report->places, value.number);
	else if (column->kind == COLUMN_COMPONENT)
		text_escaped_cell(table, text_component_name(report->places, value.number));
	else if (column->kind == COLUMN_NAME)
		text_escaped_cell(table, value.text);
	else
		table_cell(table, "%s", value.text);
}

const void *column_rows(const struct column *column, const struct report *report, const void *row,
			size_t *count)
{
	return column->list.is_there ? row_list_get(&column->list, row, count) :
				       column->rows(report, row, count);
}

static uint64_t order_value(const struct row_type *type, const struct report *report, const void *row)
{
	const struct column *column = type->columns;
	char buffer[VALUE_TEXT_SIZE];

	while (!column->is_order)
		column++;
	return column_value(column, report, row, buffer).number;
}

/* Of COLUMN_PLACE or COLUMN_COMPONENT. The caller frees it. NULL: no memory. */
static char *place_text(const struct column *column, const struct report *report, const void *row)
{
	size_t number = (size_t)field_value(row, column->offset, column->bytes);

	if (column->kind == COLUMN_PLACE)
		return text_format_place(report->places, number);
	return text_escape_name(text_component_name(report->places, number));
}

/* The first of the rows by their first columns, each with its share: "server:main 80.0%, server:work 19.9%, ...". */
static void rows_cell(struct table *table, const struct report *report, const struct column *column,
		      const void *row)
{
	const struct row_type *type = column->row_type;
	size_t count;
	const char *rows = column_rows(column, report, row, &count);
	char share[UNITS_SIZE] = "", *list = NULL;
	uint64_t whole = 0;
	size_t size;
	FILE *out = open_memstream(&list, &size);

	table->failed |= !out;
	for (size_t i = 0; i < count; i++)
		whole += order_value(type, report, rows + i * type->bytes);
	for (size_t i = 0; i < count && i < LISTED && out; i++) {
		const void *item = rows + i * type->bytes;
		char *name = place_text(&type->columns[0], report, item);

		if (count > 1)
			units_format_share(order_value(type, report, item), whole, share);
		fprintf(out, "%s%s%s%s", i ? ", " : "", name ?: "", *share ? " " : "", share);
		table->failed |= !name;
		free(name);
	}
	if (count > LISTED && out)
		fputs(", ...", out);
	if (out)
		table->failed |= fclose(out) != 0;
	table_cell(table, "%s", list ?: "");
	free(list);
}

void row_type_cells(const struct row_type *type, struct table *table, const struct report *report,
		    const void *row, const char *sum)
{
	bool is_first = sum;

	for (size_t i = 0; i < type->column_count; i++) {
		const struct column *column = &type->columns[i];

		if (!column->title)
			continue;
		if (is_first)
			table_cell(table, "%s", sum);
		else if (sum && !column->is_summed)
			table_cell(table, "%s", "");
		else if (column->cell)
			column->cell(table, report, row);
		else if (column->kind == COLUMN_ROWS)
			rows_cell(table, report, column, row);
		else
			value_cell(table, report, column, row);
		is_first = false;
	}
}

const char *text_comm(const char comm[SCALER_COMM_SIZE], char buffer[VALUE_TEXT_SIZE])
{
	memcpy(buffer, comm, SCALER_COMM_SIZE);
	buffer[SCALER_COMM_SIZE] = '\0';
	return buffer;
}
