// SPDX-License-Identifier: GPL-2.0-only
/* Arrays that grow, and arrays in order. */
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

void *array_reserve(void *array, size_t count, size_t *capacity, size_t item_bytes)
{
	size_t wanted = *capacity ? 2 * *capacity : 64;

	if (count < *capacity)
		return array;
	array = reallocarray(array, wanted, item_bytes);
	if (array)
		*capacity = wanted;
	return array;
}

size_t array_count_below(const void *array, size_t count, size_t item_bytes, uint64_t key)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;
		uint64_t value;

		memcpy(&value, (const char *)array + middle * item_bytes, sizeof(value));
		if (value < key)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}
