// SPDX-License-Identifier: GPL-2.0-only
/* Tables as data, in JSON. */
#include "render/column.h"

#include <stdlib.h>

#include "render/json_place.h"
#include "render/json_values.h"

static json_t *value_json(const struct report *report, const struct column *column, const void *row)
{
	char buffer[VALUE_TEXT_SIZE];
	const struct value value = column_value(column, report, row, buffer);

	if (value.is_none)
		return json_null();
	switch (column->kind) {
	case COLUMN_FLAG:
		return json_boolean(value.number);
	case COLUMN_NAME:
		return json_name(value.text);
	case COLUMN_WORD:
		return json_string(value.text);
	case COLUMN_PLACE:
		return json_place(report->places, value.number);
	case COLUMN_COMPONENT:
		return json_name(report->places->components[value.number].name);
	default:
		return json_number(value.number);
	}
}

static json_t *column_json(const struct report *report, const struct column *column, const void *row)
{
	const void *rows;
	size_t count;

	if (column->object)
		return column->object(report, row);
	if (column->kind != COLUMN_ROWS)
		return value_json(report, column, row);
	rows = column_rows(column, report, row, &count);
	return json_rows(column->row_type, report, rows, count);
}

json_t *json_row(const struct row_type *type, const struct report *report, const void *row)
{
	json_t *object = json_object();

	for (size_t i = 0; i < type->column_count; i++) {
		const struct column *column = &type->columns[i];

		if (column->member &&
		    json_object_set_new(object, column->member, column_json(report, column, row))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

json_t *json_rows(const struct row_type *type, const struct report *report, const void *rows, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		if (json_append(array, json_row(type, report, (const char *)rows + i * type->bytes))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static int append_totals(json_t *array, const struct report_table *description, const struct report *report)
{
	void *row = calloc(1, description->row_type.bytes);
	int err = row ? 0 : -1;

	for (size_t i = 0; i < description->json_totals && !err; i++) {
		description->total(report, i, row);
		err = json_append(array, json_row(&description->row_type, report, row));
	}
	free(row);
	return err;
}

json_t *json_table(const struct report_table *description, const struct report *report)
{
	size_t count;
	const void *rows = row_list_get(&description->rows, report, &count);
	json_t *array = json_rows(&description->row_type, report, rows, count);

	if (!array || !description->json_totals || !append_totals(array, description, report))
		return array;
	json_decref(array);
	return NULL;
}
