// SPDX-License-Identifier: GPL-2.0-only
/* Library calls as JSON, described with the report's schema. */
#include "render/json_library.h"

#include "render/json_values.h"

/* null: not known. */
static json_t *component_value(const struct places *places, size_t component)
{
	return component == PLACE_NONE ? json_null() : json_name(places->components[component].name);
}

static json_t *callers_array(const struct places *places, const struct library_row *row)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < row->caller_count && !err; i++)
		err = json_append(array, json_pack("{s:o, s:o}", "component",
						   component_value(places, row->callers[i].component),
						   "calls", json_number(row->callers[i].calls)));
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *threads_array(const struct library_row *row)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < row->thread_count && !err; i++) {
		const struct library_thread *thread = &row->threads[i];

		err = json_append(array,
				  json_pack("{s:o, s:o, s:o}", "pid", json_number(thread->pid), "tid",
					    json_number(thread->tid), "calls", json_number(thread->calls)));
	}
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *row_object(const struct places *places, const struct library_row *row)
{
	const struct library_function *function = row->function;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "library", json_name(function->library),
			 "component", component_value(places, row->component), "function",
			 json_name(row->name), "symbol", json_name(function->symbol), "version",
			 json_name(function->version), "calls", json_number(row->calls), "callers",
			 callers_array(places, row), "threads", threads_array(row));
}

json_t *json_library_calls(const struct report *report)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < report->library.row_count && !err; i++)
		err = json_append(array, row_object(&report->places, &report->library.rows[i]));
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}

json_t *json_library_omissions(const struct library_functions *functions)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; functions && i < functions->count && !err; i++) {
		const struct library_function *function = &functions->items[i];

		if (function->omitted)
			err = json_append(array, json_pack("{s:o, s:o, s:o, s:s}", "library",
							   json_name(function->library), "symbol",
							   json_name(function->symbol), "version",
							   json_name(function->version), "reason",
							   function->omitted));
	}
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}
