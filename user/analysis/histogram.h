/* SPDX-License-Identifier: GPL-2.0-only */
/* Percentiles from the kernel side's log-linear histograms, merged over threads. */
#ifndef SCALER_ANALYSIS_HISTOGRAM_H
#define SCALER_ANALYSIS_HISTOGRAM_H

#include <stdint.h>

#include <scaler/histogram.h>

struct histogram {
	uint64_t counts[SCALER_BUCKETS];
	uint64_t total;
};

void histogram_add(struct histogram *histogram, const uint32_t buckets[SCALER_BUCKETS]);

/*
 * The least time that at least the given share (0 < share <= 1) of the values do not exceed, to within
 * 5.9 % from 32 ns on, and never more than max_ns, the largest value. 0 of an empty histogram.
 */
uint64_t histogram_percentile_ns(const struct histogram *histogram, double share, uint64_t max_ns);

#endif
