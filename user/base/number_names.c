// SPDX-License-Identifier: GPL-2.0-only
/* Names of numbered things. */
#include "base/number_names.h"

#include <errno.h>
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

/* The name becomes the names'. Returns 0 or -ENOMEM. */
static int add(struct number_names *names, uint32_t number, char *name)
{
	struct number_name *items =
		array_reserve(names->items, names->count, &names->capacity, sizeof(*items));

	if (!items)
		return -ENOMEM;
	names->items = items;
	items[names->count++] = (struct number_name){ number, name };
	return 0;
}

int number_names_add(struct number_names *names, uint32_t number, const char *name)
{
	char *copy = find(names, number) ? NULL : strdup(name);
	int err = copy ? add(names, number, copy) : find(names, number) ? 0 : -ENOMEM;

	if (err)
		free(copy);
	return err;
}

const char *number_names_find(struct number_names *names, uint32_t number, number_names_read *read)
{
	const struct number_name *known = find(names, number);
	char *name;

	if (known)
		return known->name;
	name = read(number);
	if (!add(names, number, name))
		return name;
	free(name);
	return NULL;
}

void number_names_clear(struct number_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i].name);
	free(names->items);
	*names = (struct number_names){ 0 };
}
