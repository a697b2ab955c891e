// SPDX-License-Identifier: GPL-2.0-only
/* The JSON schema of reports: what is no table is written down, tables come from their columns. */
#include "render/schema.h"

#include "render/json_values.h"
#include "render/tables.h"

#include "report_schema.h" /* report_schema_text: report.schema.json */

static json_t *reference(const char *definition)
{
	return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", definition));
}

static json_t *row_schema(const struct row_type *type);

/* An array of such rows. */
static json_t *rows_schema(const struct row_type *type)
{
	return json_pack("{s:s, s:o}", "type", "array", "items", row_schema(type));
}

static json_t *column_type(const struct column *column)
{
	if (column->type)
		return reference(column->type);
	switch (column->kind) {
	case COLUMN_COUNT:
	case COLUMN_TIME:
		return reference(column->is_there ? "time" : "figure");
	case COLUMN_FLAG:
		return json_pack("{s:s}", "type", "boolean");
	case COLUMN_NAME:
	case COLUMN_COMPONENT:
		return reference("name");
	case COLUMN_PLACE:
		return reference("place");
	case COLUMN_WORD:
		return json_pack("{s:[s, s]}", "type", "string", "null");
	case COLUMN_ROWS:
		return rows_schema(column->row_type);
	default:
		return reference("time"); /* a number, or null */
	}
}

static int add_column(json_t *required, json_t *properties, const struct column *column)
{
	json_t *type = column_type(column);

	if (column->help && type && json_object_set_new(type, "description", json_string(column->help))) {
		json_decref(type);
		return -1;
	}
	return json_append(required, json_string(column->member)) ?:
		       json_object_set_new(properties, column->member, type);
}

static json_t *row_schema(const struct row_type *type)
{
	json_t *required = json_array(), *properties = json_object();
	int err = 0;

	for (size_t i = 0; i < type->column_count && !err; i++) {
		if (type->columns[i].member)
			err = add_column(required, properties, &type->columns[i]);
	}
	if (!err)
		return json_pack("{s:s, s:o, s:b, s:o}", "type", "object", "required", required,
				 "additionalProperties", 0, "properties", properties);
	json_decref(required);
	json_decref(properties);
	return NULL;
}

/* Its name must not be one of those that are written down. */
static int add_table(json_t *definitions, const struct report_table *description)
{
	bool is_there = json_object_get(definitions, description->member);
	json_t *table = is_there ? NULL : rows_schema(&description->row_type);

	if (table && !json_object_set_new(table, "description", json_string(description->help)))
		return json_object_set_new(definitions, description->member, table);
	json_decref(table);
	return -1;
}

json_t *report_schema(void)
{
	json_t *schema = json_loads(report_schema_text, 0, NULL);
	json_t *definitions = json_object_get(schema, "$defs");
	int err = 0;

	for (enum report_part_id part = 0; part < REPORT_PART_COUNT && !err; part++) {
		if (report_tables[part])
			err = add_table(definitions, report_tables[part]);
	}
	if (!err)
		return schema;
	json_decref(schema);
	return NULL;
}
