// SPDX-License-Identifier: GPL-2.0-only
/* Percentiles from the kernel side's log-linear histograms, merged over threads. */
#include "analysis/histogram.h"

#include <math.h>

void histogram_add(struct histogram *histogram, const uint32_t buckets[SCALER_BUCKETS])
{
	for (uint32_t i = 0; i < SCALER_BUCKETS; i++) {
		histogram->counts[i] += buckets[i];
		histogram->total += buckets[i];
	}
}

/* The harmonic mean of a bucket's ends is off by the same share at both, the least possible. */
static uint64_t representative_ns(uint32_t bucket, uint64_t max_ns)
{
	double low = (double)scaler_bucket_floor_ns(bucket);
	double high = (double)scaler_bucket_floor_ns(bucket + 1), value;

	if (bucket == SCALER_BUCKETS - 1)
		return max_ns;
	value = low > 0 ? 2 * low * high / (low + high) : high / 2;
	return value < (double)max_ns ? (uint64_t)value : max_ns;
}

uint64_t histogram_percentile_ns(const struct histogram *histogram, double share, uint64_t max_ns)
{
	uint64_t rank = (uint64_t)ceil(share * (double)histogram->total), seen = 0;

	for (uint32_t i = 0; i < SCALER_BUCKETS; i++) {
		seen += histogram->counts[i];
		if (histogram->counts[i] && seen >= rank)
			return representative_ns(i, max_ns);
	}
	return 0;
}
