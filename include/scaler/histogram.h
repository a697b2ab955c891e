/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A log-linear histogram of durations: eight equal buckets to each power of two, as in HdrHistogram,
 * over units of 4 ns. A value is known by its bucket to within 5.9 % from 32 ns up to 18 minutes.
 */
#ifndef SCALER_HISTOGRAM_H
#define SCALER_HISTOGRAM_H

#include <linux/types.h>

#define SCALER_BUCKET_UNIT_SHIFT 2 /* 4 ns */
#define SCALER_BUCKET_BITS       3 /* eight to a power of two */
#define SCALER_BUCKETS           288

/*
 * floor(log2(value)) of a value above 0, by halves: BPF has no instruction for it. Without branches, each of which
 * would double the ways that the verifier follows.
 */
static inline __attribute__((always_inline)) __u32 scaler_log2(__u64 value)
{
	__u32 result = 0;

	for (__u32 bits = 32; bits; bits /= 2) {
		__u64 upper = value >> bits, shift;

		shift = upper | -upper;
		__asm__("" : "+r"(shift)); /* or the compiler makes it a branch again */
		shift = (shift >> 63) * bits;
		value >>= shift;
		result += shift;
	}
	return result;
}

/* The bucket that a duration falls into; the last one takes all that are longer. */
static inline __attribute__((always_inline)) __u32 scaler_bucket(__u64 time_ns)
{
	__u64 units = time_ns >> SCALER_BUCKET_UNIT_SHIFT;
	__u32 power, bucket;

	if (units < (1 << SCALER_BUCKET_BITS))
		return (__u32)units;
	power = scaler_log2(units) - SCALER_BUCKET_BITS;
	bucket = (power << SCALER_BUCKET_BITS) + (__u32)(units >> power);
	return bucket < SCALER_BUCKETS ? bucket : SCALER_BUCKETS - 1;
}

/* The least duration that falls into the bucket. */
static inline __u64 scaler_bucket_floor_ns(__u32 bucket)
{
	__u32 power;

	if (bucket < (1 << SCALER_BUCKET_BITS))
		return (__u64)bucket << SCALER_BUCKET_UNIT_SHIFT;
	power = (bucket >> SCALER_BUCKET_BITS) - 1;
	return ((__u64)bucket - ((__u64)power << SCALER_BUCKET_BITS)) << (power + SCALER_BUCKET_UNIT_SHIFT);
}

#endif
