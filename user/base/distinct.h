/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays of items no two of which begin with the same bytes, and the item that begins with given ones. */
#ifndef SCALER_BASE_DISTINCT_H
#define SCALER_BASE_DISTINCT_H

#include <stddef.h>
#include <stdint.h>

struct distinct_slot {
	uint32_t hash; /* some bits of it */
	uint32_t item; /* its index and 1; 0: none */
};

/* All zero at first. */
struct distinct {
	void *items; /* owned; as they were added; at most 2^32 - 1 */
	size_t count;
	size_t capacity;
	struct distinct_slot *slots; /* owned; by hash, open addressing */
	size_t size;                 /* of slots; a power of two, or 0 */
};

/*
 * The index of the item that begins with the key. If there was none it is the last one now, and its other bytes are
 * zero. The sizes, in bytes, are the same in all calls for an array; what lies between the key's members must be zero.
 * SIZE_MAX: there is no memory, and nothing has changed.
 */
size_t distinct_add(struct distinct *distinct, const void *key, size_t key_bytes, size_t item_bytes);

/* The index of the item that begins with the key, or SIZE_MAX. */
size_t distinct_find(const struct distinct *distinct, const void *key, size_t key_bytes, size_t item_bytes);

void distinct_clear(struct distinct *distinct);

#endif
