// SPDX-License-Identifier: GPL-2.0-only
/* What somebody outside has reported of a recording. */
#include "model/marks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int marks_add(struct marks *marks, enum mark_kind kind, uint64_t time_ns, const char *name)
{
	struct mark *items = array_reserve(marks->items, marks->count, &marks->capacity, sizeof(*items));

	if (!items)
		return -ENOMEM;
	marks->items = items;
	items[marks->count] = (struct mark){ kind, time_ns, strdup(name) };
	if (!items[marks->count].name)
		return -ENOMEM;
	marks->count++;
	return 0;
}

void marks_clear(struct marks *marks)
{
	for (size_t i = 0; i < marks->count; i++)
		free(marks->items[i].name);
	free(marks->items);
	*marks = (struct marks){ 0 };
}
