// SPDX-License-Identifier: GPL-2.0-only
/* Names of numbered things. */
#include "base/number_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const struct number_name *find(const struct number_names *names, uint32_t number)
{
	for (size_t i = 0; i < names->count; i++) {
		if (names->items[i].number == number)
			return &names->items[i];
	}
	return NULL;
}

const char *number_names_get(const struct number_names *names, uint32_t number)
{
	const struct number_name *known = find(names, number);

	return known ? known->name : NULL;
}

const char *number_names_find(struct number_names *names, uint32_t number, number_names_read *read)
{
	const struct number_name *known = find(names, number);
	struct number_name *items;

	if (known)
		return known->name;
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
