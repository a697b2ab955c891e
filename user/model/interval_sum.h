/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several intervals of one recording as one. Those that follow one another without a gap are a run, and what goes on
 * from one of them to the next is one thing: a call, a wait. What goes on over the end of a run is cut there, and
 * marked as what the end of the recording cuts.
 */
#ifndef SCALER_MODEL_INTERVAL_SUM_H
#define SCALER_MODEL_INTERVAL_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile.h"

/* All zero at first: a sum of nothing. */
struct interval_sum {
	/* A thread's life, since_ns less start_ns, is the sum of those in the intervals; it begins when the first of these does. */
	struct profile profile;
	uint64_t run_start_ns; /* 0: no run has begun */
};

static inline bool interval_sum_is_empty(const struct interval_sum *sum)
{
	return !sum->profile.window.end_ns;
}

/* The interval, which stays as it is, is later than all before. Returns 0 or -ENOMEM, after which the sum is of no use. */
int interval_sum_add(struct interval_sum *sum, const struct profile *interval);

/* The next interval, if one is added, comes later. */
void interval_sum_end_run(struct interval_sum *sum);

void interval_sum_clear(struct interval_sum *sum);

#endif
