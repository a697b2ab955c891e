// SPDX-License-Identifier: GPL-2.0-only
/* The values that all JSON output is made of. */
#include "render/json_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

/* JSON's integers here are signed, and no figure of ours is that large. */
json_t *json_number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

json_t *json_name(const char *name)
{
	json_t *string;
	char *escaped;

	if (!name)
		return json_null();
	string = json_string(name);
	if (string)
		return string;
	escaped = malloc(ESCAPE_FACTOR * strlen(name) + 1);
	if (escaped)
		string = json_string(escape_text(name, strlen(name), escaped));
	free(escaped);
	return string;
}

int json_append(json_t *array, json_t *element)
{
	return json_array_append_new(array, element) ? -ENOMEM : 0;
}

json_t *json_merge(json_t *object, json_t *more)
{
	int err = object && more ? json_object_update(object, more) : -1;

	json_decref(more);
	if (!err)
		return object;
	json_decref(object);
	return NULL;
}

int json_print_document(json_t *document, int err, FILE *out)
{
	err = document && !err ? 0 : -ENOMEM;
	if (!err && !json_dumpf(document, out, JSON_INDENT(1)))
		fputc('\n', out);
	json_decref(document);
	return err;
}
