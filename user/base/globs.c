// SPDX-License-Identifier: GPL-2.0-only
/* Lists of shell patterns. */
#include "base/globs.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int globs_add(struct globs *globs, const char *list)
{
	for (const char *at = list;; at++) {
		char **items = array_reserve(globs->items, globs->count, &globs->capacity, sizeof(*items));
		size_t length = strcspn(at, ",");

		if (!items)
			return -ENOMEM;
		globs->items = items;
		if (!length)
			return -EINVAL;
		items[globs->count] = strndup(at, length);
		if (!items[globs->count])
			return -ENOMEM;
		globs->count++;
		at += length;
		if (!*at)
			return 0;
	}
}

void globs_clear(struct globs *globs)
{
	for (size_t i = 0; i < globs->count; i++)
		free(globs->items[i]);
	free(globs->items);
	*globs = (struct globs){ 0 };
}

bool globs_match(const struct globs *globs, const char *text)
{
	for (size_t i = 0; i < globs->count; i++) {
		if (!fnmatch(globs->items[i], text, 0))
			return true;
	}
	return false;
}
