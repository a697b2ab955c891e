// SPDX-License-Identifier: GPL-2.0-only
/* Address spaces by number: where their code was mapped. */
#include "model/address_spaces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <scaler/component.h>

int address_spaces_add(struct address_spaces *spaces, uint64_t number, const struct scaler_mapping *mappings,
		       size_t count)
{
	struct scaler_mapping *copy = calloc(count + 1, sizeof(*copy));
	struct address_space *space = &spaces->items[spaces->next];

	if (!copy)
		return -ENOMEM;
	memcpy(copy, mappings, count * sizeof(*copy));
	free(space->mappings);
	space->number = number;
	space->mappings = copy;
	space->count = count;
	spaces->next = (spaces->next + 1) % ADDRESS_SPACES_KEPT;
	return 0;
}

const struct address_space *address_spaces_find(const struct address_spaces *spaces, uint64_t number)
{
	for (size_t i = 1; i <= ADDRESS_SPACES_KEPT; i++) {
		const struct address_space *space =
			&spaces->items[(spaces->next + ADDRESS_SPACES_KEPT - i) % ADDRESS_SPACES_KEPT];

		if (!space->mappings)
			break;
		if (space->number == number)
			return space;
	}
	return NULL;
}

static int compare_address(const void *key, const void *item)
{
	const struct scaler_mapping *mapping = item;
	uint64_t address = *(const uint64_t *)key;

	return address < mapping->start ? -1 : address >= mapping->end;
}

const struct scaler_mapping *address_space_mapping(const struct address_space *space, uint64_t address)
{
	return bsearch(&address, space->mappings, space->count, sizeof(*space->mappings), compare_address);
}

uint64_t address_space_site(const struct address_space *space, uint64_t address)
{
	const struct scaler_mapping *mapping = address_space_mapping(space, address);

	return mapping ? mapping->site + (address - mapping->start) : 0;
}

void address_spaces_clear(struct address_spaces *spaces)
{
	for (size_t i = 0; i < ADDRESS_SPACES_KEPT; i++)
		free(spaces->items[i].mappings);
	*spaces = (struct address_spaces){ 0 };
}
