// SPDX-License-Identifier: GPL-2.0-only
/* Names of numbered things. */
#include "base/number_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const char *number_names_find(struct number_names *names, uint32_t number, number_names_read *read)
{
	struct number_name *items;

	for (size_t i = 0; i < names->count; i++) {
		if (names->items[i].number == number)
			return names->items[i].name;
	}
	items = array_reserve(names->items, names->count, &names->capacity, sizeof(*items));
	if (!items)
		return NULL;
	names->items = items;
	items[names->count] = (struct number_name){ number, read(number) };
	return items[names->count++].name;
}

void number_names_clear(struct number_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i].name);
	free(names->items);
	*names = (struct number_names){ 0 };
}
