// SPDX-License-Identifier: GPL-2.0-only
/* Code by the function around it, memory by the variable. */
#include "elf/symbol_places.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Where a lock is, and not code. */
static bool find_variable(const struct symbols *symbols, uint64_t file_offset, uint64_t *address)
{
	const struct elf_segment *segment;

	if (elf_segments_address(&symbols->segments, file_offset, address)) {
		segment = elf_segments_find(&symbols->segments, *address);
		if (segment->executable)
			return false;
	}
	return elf_segments_variable(&symbols->segments, file_offset, address);
}

static int name_variable(const struct symbols *symbols, uint64_t address, struct symbol_place *place)
{
	const struct symbol *variable = symbols_find_variable(symbols, address);
	char *name;
	int length;

	place->address = variable ? 0 : address;
	if (!variable)
		return 0;
	name = symbol_name(variable);
	if (!name)
		return -ENOMEM;
	if (address == variable->address) {
		place->name = name;
		return 0;
	}
	length = asprintf(&place->name, "%s+0x%" PRIx64, name, address - variable->address);
	free(name);
	return length < 0 ? -ENOMEM : 0;
}

int symbol_place_find(struct symbols *symbols, uint64_t file_offset, struct symbol_place *place)
{
	const struct symbol *function = NULL;
	struct symbol_range range;
	bool has_range = false;
	uint64_t address;

	*place = (struct symbol_place){ .address = file_offset };
	if (find_variable(symbols, file_offset, &address))
		return name_variable(symbols, address, place);
	if (elf_segments_address(&symbols->segments, file_offset, &place->address)) {
		function = symbols_find_caller(symbols, place->address);
		has_range = symbols_find_range(symbols, place->address, &range);
	}
	if (!function) {
		place->address = has_range ? range.start : symbol_place_unknown(place->address);
		return 0;
	}
	place->address = 0;
	place->name = symbol_name(function);
	return place->name ? 0 : -ENOMEM;
}
