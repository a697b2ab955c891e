/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Figures of calls that were recorded in windows (call_window.h); of system calls by double sampling (W. G. Cochran, Sampling
 * Techniques, 3rd edition, chapter 12): how many calls there were at all is known by those that were only counted, and
 * for how long the threads ran meanwhile and in all; which they were, by those that were recorded.
 */
#ifndef SCALER_MODEL_SAMPLED_CALLS_H
#define SCALER_MODEL_SAMPLED_CALLS_H

#include <stdbool.h>

#include <scaler/call_window.h>

#include "model/profile.h"

struct scaler_sampling sampling_since(const struct scaler_sampling *before,
				      const struct scaler_sampling *after);
void sampling_add(struct scaler_sampling *sum, const struct scaler_sampling *more);

/* What each recorded call stands for, besides its window's weight; recorded_calls: of all, with their weights. */
double sampling_ratio(const struct scaler_sampling *sampling, uint64_t recorded_calls);

/* The same of library calls, which are not counted besides: by for how long the threads ran in windows, and in all. */
double sampling_time_ratio(const struct scaler_sampling *sampling);

/* Adds to the figures of an interval's calls, whose rows are sorted, what their windows stand for. */
void sampled_calls_estimate(struct profile *interval);

#endif
