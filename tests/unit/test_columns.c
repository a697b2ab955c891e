// SPDX-License-Identifier: GPL-2.0-only
/* The tables of the reports as data: each column can be shown, and the schema that is made of them holds together. */
#include <criterion/criterion.h>
#include <string.h>

#include "render/schema.h"
#include "render/tables.h"

/* Whether text and JSON have something to show of it; a rows column has its rows. */
static bool has_source(const struct column *column)
{
	int sources = column->has_field + (column->number != NULL) + (column->text != NULL) +
		      (column->value != NULL) + (column->rows != NULL) + column->list.is_there;

	if (sources > 1)
		return false;
	if (column->title && !column->cell && !sources)
		return false;
	return !column->member || column->object || sources;
}

static bool is_same(const char *left, const char *right)
{
	return left && right && *left && !strcmp(left, right);
}

static void check_row_type(const struct row_type *type, const char *table)
{
	size_t titles = 0;

	for (size_t i = 0; i < type->column_count; i++) {
		const struct column *column = &type->columns[i];
		const char *name = column->member ?: column->title;

		cr_assert(name, "%s: column %zu is nowhere", table, i);
		cr_expect(has_source(column), "%s: %s has no value, or two", table, name);
		cr_expect(!column->object || column->type, "%s: %s has no type", table, name);
		cr_expect(!column->help || *column->help, "%s: %s", table, name);
		cr_expect(column->kind != COLUMN_ROWS || column->row_type, "%s: %s", table, name);
		titles += column->title != NULL;
		for (size_t j = 0; j < i; j++) {
			cr_expect(!is_same(column->member, type->columns[j].member), "%s: two %s", table,
				  name);
			cr_expect(!is_same(column->title, type->columns[j].title), "%s: two %s", table, name);
		}
		if (column->kind == COLUMN_ROWS)
			check_row_type(column->row_type, name);
	}
	cr_expect_leq(titles, TABLE_COLUMNS_MAX, "%s", table);
}

Test(columns, each_can_be_shown)
{
	for (enum report_part_id part = 0; part < REPORT_PART_COUNT; part++) {
		if (report_tables[part])
			check_row_type(&report_tables[part]->row_type, report_tables[part]->member);
	}
}

/* All that is referred to is there. */
static void check_references(const json_t *definitions, json_t *value)
{
	static const char before[] = "#/$defs/";
	const char *target = json_string_value(json_object_get(value, "$ref")), *key;
	json_t *member;
	size_t index;

	if (target) {
		cr_assert(!strncmp(target, before, strlen(before)), "%s", target);
		cr_expect(json_object_get(definitions, target + strlen(before)), "%s is not there", target);
	}
	json_object_foreach(value, key, member) check_references(definitions, member);
	json_array_foreach(value, index, member) check_references(definitions, member);
}

Test(columns, schema_is_whole)
{
	json_t *schema = report_schema();

	cr_assert(schema);
	check_references(json_object_get(schema, "$defs"), schema);
	json_decref(schema);
}
