/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU samples, counted by all that they say. */
#ifndef SCALER_MODEL_SAMPLES_H
#define SCALER_MODEL_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include <scaler/event.h>

#include "base/distinct.h"

struct sample_row {
	struct scaler_sample sample;
	uint64_t count;
};

/* All zero at first. */
struct samples {
	struct distinct rows; /* in the order in which they came */
};

static inline const struct sample_row *samples_rows(const struct samples *samples)
{
	return samples->rows.items;
}

/* Counts a sample that so many times. Returns 0 or -ENOMEM. */
int samples_add(struct samples *samples, const struct scaler_sample *sample, uint64_t count);

/*
 * Fills since, which is empty, with what after has more than before, an earlier copy of it. Returns 0 or -ENOMEM.
 */
int samples_since(struct samples *since, const struct samples *before, const struct samples *after);

void samples_clear(struct samples *samples);

#endif
