// SPDX-License-Identifier: GPL-2.0-only
/* Where library functions have probes: a table that is searched from its beginning, as it is short. */
#include "probe/probed_places.h"

#include <stdlib.h>

#include "base/array.h"

struct probed_place *probed_places_get(struct probed_places *places, uint32_t file, pid_t pid)
{
	struct probed_place *items;

	for (size_t i = 0; i < places->count; i++) {
		if (places->items[i].file == file && places->items[i].pid == pid)
			return &places->items[i];
	}
	items = array_reserve(places->items, places->count, &places->capacity, sizeof(*items));
	if (!items)
		return NULL;
	places->items = items;
	items[places->count] = (struct probed_place){ .file = file, .pid = pid };
	return &items[places->count++];
}

bool probed_places_have(const struct probed_places *places, pid_t pid)
{
	for (size_t i = 0; i < places->count; i++) {
		if (places->items[i].pid == pid)
			return true;
	}
	return false;
}

size_t probed_places_count_processes(const struct probed_places *places)
{
	size_t count = 0;

	for (size_t i = 0; i < places->count; i++) {
		const struct probed_places before = { .items = places->items, .count = i };

		count += !probed_places_have(&before, places->items[i].pid);
	}
	return count;
}

size_t probed_places_count_of_file(const struct probed_places *places, uint32_t file)
{
	size_t count = 0;

	for (size_t i = 0; i < places->count; i++)
		count += places->items[i].file == file;
	return count;
}

void probed_places_remove(struct probed_places *places, size_t index)
{
	places->items[index] = places->items[--places->count];
}

bool probed_places_take(struct probed_places *places, pid_t pid, uint32_t *file)
{
	for (size_t i = 0; i < places->count; i++) {
		if (places->items[i].pid != pid)
			continue;
		*file = places->items[i].file;
		probed_places_remove(places, i);
		return true;
	}
	return false;
}

void probed_places_clear(struct probed_places *places)
{
	free(places->items);
	*places = (struct probed_places){ 0 };
}
