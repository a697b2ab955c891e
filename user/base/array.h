/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow. */
#ifndef SCALER_BASE_ARRAY_H
#define SCALER_BASE_ARRAY_H

#include <stddef.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Makes room for one more item behind count items of item_bytes each. Returns the array, perhaps
 * moved, and updates *capacity; or NULL without memory, and the old array stays as it is.
 */
void *array_reserve(void *array, size_t count, size_t *capacity, size_t item_bytes);

#endif
