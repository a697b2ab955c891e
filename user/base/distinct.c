// SPDX-License-Identifier: GPL-2.0-only
/* Arrays of items no two of which begin with the same bytes, and the item that begins with given ones. */
#include "base/distinct.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/array.h"

#define LEAST_SLOTS 256

/* Room for one more item, and as many again. */
static int reserve_slot(struct distinct *distinct)
{
	size_t size = distinct->size ? 2 * distinct->size : LEAST_SLOTS;
	struct distinct_slot *slots;

	if (2 * (distinct->count + 1) < distinct->size)
		return 0;
	slots = calloc(size, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < distinct->size; i++) {
		size_t at = distinct->slots[i].hash;

		while (distinct->slots[i].item && slots[at & (size - 1)].item)
			at++;
		if (distinct->slots[i].item)
			slots[at & (size - 1)] = distinct->slots[i];
	}
	free(distinct->slots);
	distinct->slots = slots;
	distinct->size = size;
	return 0;
}

static char *item_at(const struct distinct *distinct, size_t index, size_t item_bytes)
{
	return (char *)distinct->items + index * item_bytes;
}

/* The slot of the item, or the free one where it belongs. */
static struct distinct_slot *find_slot(const struct distinct *distinct, uint32_t hash, const void *key,
				       size_t key_bytes, size_t item_bytes)
{
	for (size_t at = hash;; at++) {
		struct distinct_slot *slot = &distinct->slots[at & (distinct->size - 1)];

		if (!slot->item || (slot->hash == hash &&
				    !memcmp(item_at(distinct, slot->item - 1, item_bytes), key, key_bytes)))
			return slot;
	}
}

size_t distinct_add(struct distinct *distinct, const void *key, size_t key_bytes, size_t item_bytes)
{
	uint32_t hash = (uint32_t)XXH3_64bits(key, key_bytes);
	struct distinct_slot *slot;
	void *items;

	if (reserve_slot(distinct))
		return SIZE_MAX;
	slot = find_slot(distinct, hash, key, key_bytes, item_bytes);
	if (slot->item)
		return slot->item - 1;
	items = distinct->count < UINT32_MAX ?
			array_reserve(distinct->items, distinct->count, &distinct->capacity, item_bytes) :
			NULL;
	if (!items)
		return SIZE_MAX;
	distinct->items = items;
	memcpy(item_at(distinct, distinct->count, item_bytes), key, key_bytes);
	memset(item_at(distinct, distinct->count, item_bytes) + key_bytes, 0, item_bytes - key_bytes);
	*slot = (struct distinct_slot){ hash, (uint32_t)++distinct->count };
	return distinct->count - 1;
}

size_t distinct_find(const struct distinct *distinct, const void *key, size_t key_bytes, size_t item_bytes)
{
	uint32_t hash = (uint32_t)XXH3_64bits(key, key_bytes);

	return distinct->size ? (size_t)find_slot(distinct, hash, key, key_bytes, item_bytes)->item - 1 :
				SIZE_MAX;
}

void distinct_clear(struct distinct *distinct)
{
	free(distinct->items);
	free(distinct->slots);
	*distinct = (struct distinct){ 0 };
}
