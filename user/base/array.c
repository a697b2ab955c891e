// SPDX-License-Identifier: GPL-2.0-only
/* Arrays that grow. */
#include "base/array.h"

#include <stdlib.h>

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
