// SPDX-License-Identifier: GPL-2.0-only
/* CPU samples, counted by all that they say. */
#include "model/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* FNV-1a, by words (Fowler, Noll, Vo). */
static size_t hash(const struct scaler_sample *sample)
{
	uint64_t words[sizeof(*sample) / sizeof(uint64_t)], sum = 0xcbf29ce484222325;

	memcpy(words, sample, sizeof(words));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		sum = (sum ^ words[i]) * 0x100000001b3;
	return (size_t)(sum ^ sum >> 32);
}

/* The slot of a sample, or the free one where it belongs. */
static size_t *find_slot(const struct samples *samples, const struct scaler_sample *sample)
{
	size_t at = hash(sample);

	for (;; at++) {
		size_t *slot = &samples->slots[at & (samples->size - 1)];

		if (!*slot || !memcmp(&samples->rows[*slot - 1].sample, sample, sizeof(*sample)))
			return slot;
	}
}

/* Room for one more, and as much again. */
static int reserve(struct samples *samples)
{
	size_t size = samples->size ? 2 * samples->size : 256;
	size_t *slots;

	if (2 * (samples->count + 1) < samples->size)
		return 0;
	slots = calloc(size, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(samples->slots);
	samples->slots = slots;
	samples->size = size;
	for (size_t i = 0; i < samples->count; i++)
		*find_slot(samples, &samples->rows[i].sample) = i + 1;
	return 0;
}

int samples_add(struct samples *samples, const struct scaler_sample *sample, uint64_t count)
{
	struct sample_row *rows;
	size_t *slot;

	if (reserve(samples))
		return -ENOMEM;
	slot = find_slot(samples, sample);
	if (*slot) {
		samples->rows[*slot - 1].count += count;
		return 0;
	}
	rows = array_reserve(samples->rows, samples->count, &samples->capacity, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	samples->rows = rows;
	rows[samples->count++] = (struct sample_row){ *sample, count };
	*slot = samples->count;
	return 0;
}

int samples_since(struct samples *since, const struct samples *before, const struct samples *after)
{
	int err = 0;

	for (size_t i = 0; i < after->count && !err; i++) {
		const struct sample_row *row = &after->rows[i];
		/* Rows are only appended. */
		uint64_t old = i < before->count ? before->rows[i].count : 0;

		if (row->count > old)
			err = samples_add(since, &row->sample, row->count - old);
	}
	return err;
}

void samples_clear(struct samples *samples)
{
	free(samples->rows);
	free(samples->slots);
	*samples = (struct samples){ 0 };
}
