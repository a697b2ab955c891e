// SPDX-License-Identifier: GPL-2.0-only
/* Buckets and percentiles. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/histogram.h"

Test(histogram, buckets_are_contiguous)
{
	for (uint32_t bucket = 0; bucket + 1 < SCALER_BUCKETS; bucket++) {
		uint64_t floor_ns = scaler_bucket_floor_ns(bucket);
		uint64_t next_ns = scaler_bucket_floor_ns(bucket + 1);

		cr_assert_lt(floor_ns, next_ns);
		cr_assert_eq(scaler_bucket(floor_ns), bucket);
		cr_assert_eq(scaler_bucket(next_ns - 1), bucket);
	}
	cr_assert_eq(scaler_bucket(UINT64_MAX), SCALER_BUCKETS - 1);
	cr_assert_gt(scaler_bucket_floor_ns(SCALER_BUCKETS - 1), 1000000000000);
}

/* One value known by its bucket alone is off by at most 6 %. */
Test(histogram, relative_error)
{
	srand(1);
	for (int i = 0; i < 20000; i++) {
		uint64_t value = 32 + ((uint64_t)rand() << 8 >> rand() % 30);
		uint32_t buckets[SCALER_BUCKETS] = { 0 };
		struct histogram histogram = { 0 };
		double told;

		buckets[scaler_bucket(value)] = 1;
		histogram_add(&histogram, buckets);
		told = (double)histogram_percentile_ns(&histogram, 0.5, UINT64_MAX);
		cr_assert_lt(told, (double)value * 1.06 + 1, "%lu", value);
		cr_assert_gt(told, (double)value * 0.94 - 1, "%lu", value);
	}
}

Test(histogram, percentiles)
{
	uint32_t buckets[SCALER_BUCKETS] = { 0 };
	struct histogram histogram = { 0 };

	cr_assert_eq(histogram_percentile_ns(&histogram, 0.5, 0), 0);
	for (uint64_t i = 1; i <= 1000; i++)
		buckets[scaler_bucket(i * 1000)]++;
	histogram_add(&histogram, buckets);
	cr_assert_float_eq((double)histogram_percentile_ns(&histogram, 0.5, 1000000), 500000, 30000);
	cr_assert_float_eq((double)histogram_percentile_ns(&histogram, 0.99, 1000000), 990000, 60000);
	cr_assert_leq(histogram_percentile_ns(&histogram, 1.0, 1000000), 1000000);
	histogram = (struct histogram){ 0 };
	histogram.counts[SCALER_BUCKETS - 1] = histogram.total = 1;
	cr_assert_eq(histogram_percentile_ns(&histogram, 0.99, UINT64_MAX / 2), UINT64_MAX / 2);
}
