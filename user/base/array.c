// SPDX-License-Identifier: GPL-2.0-only
/* Arrays that grow, and arrays in order. */
#include "base/array.h"

#include <errno.h>
#include <stdbool.h>
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

#define DIGIT_BITS 8
#define DIGITS     (64 / DIGIT_BITS)
#define BUCKETS    (1 << DIGIT_BITS)

static uint64_t read_key(const void *item)
{
	uint64_t key;

	memcpy(&key, item, sizeof(key));
	return key;
}

static size_t read_digit(uint64_t key, int digit)
{
	return key >> (digit * DIGIT_BITS) & (BUCKETS - 1);
}

/* counts become where each bucket begins. False: all are in one. */
static bool place_buckets(size_t counts[BUCKETS], size_t count)
{
	size_t at = 0;

	for (size_t i = 0; i < BUCKETS; i++) {
		size_t size = counts[i];

		if (size == count)
			return false;
		counts[i] = at;
		at += size;
	}
	return true;
}

/* By one digit after the other, the lowest first. Source: Knuth, The Art of Computer Programming 3, 5.2.5. */
int array_sort(void *array, size_t count, size_t item_bytes)
{
	size_t(*counts)[BUCKETS] = calloc(DIGITS, sizeof(*counts));
	char *from = array, *to = malloc(count * item_bytes + 1), *room = to;

	for (size_t i = 0; counts && i < count; i++) {
		uint64_t key = read_key(from + i * item_bytes);

		for (int digit = 0; digit < DIGITS; digit++)
			counts[digit][read_digit(key, digit)]++;
	}
	for (int digit = 0; counts && room && digit < DIGITS; digit++) {
		char *sorted = to;

		if (!place_buckets(counts[digit], count))
			continue;
		for (size_t i = 0; i < count; i++) {
			const char *item = from + i * item_bytes;
			size_t place = counts[digit][read_digit(read_key(item), digit)]++;

			memcpy(to + place * item_bytes, item, item_bytes);
		}
		to = from;
		from = sorted;
	}
	if (room && counts && from != array)
		memcpy(array, from, count * item_bytes);
	free(room);
	free(counts);
	return room && counts ? 0 : -ENOMEM;
}
