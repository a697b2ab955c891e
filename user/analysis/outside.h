/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of the threads' lives is in no recorded system call: exactly as a whole, and its running time by the CPU samples
 * that found them running there, each of which stands for an equal part.
 */
#ifndef SCALER_ANALYSIS_OUTSIDE_H
#define SCALER_ANALYSIS_OUTSIDE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/estimate.h"
#include "analysis/time_figures.h"

struct outside_row {
	const struct scaler_sample *sample; /* the profile's */
	uint64_t samples;                   /* such as this one */
	uint64_t running_ns;                /* those of all rows add up to the whole */
};

struct outside {
	struct outside_row *rows; /* owned */
	size_t row_count;
	uint64_t samples;
	struct time_figures whole; /* none of it by samples */
};

/* The profile must outlive it. Returns 0, or -ENOMEM with nothing to clear. */
int outside_make(const struct profile *profile, const struct thread_figures *lives, struct outside *outside);
void outside_clear(struct outside *outside);

/* What figures have by samples, with its interval; nothing, if there are no samples. */
struct estimate outside_estimate(const struct outside *outside, const struct time_figures *figures);

/* What is left of the whole if those figures have what they have of it by samples. */
struct time_figures outside_rest(const struct outside *outside, const struct time_figures *figures);

#endif
