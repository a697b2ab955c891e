// SPDX-License-Identifier: GPL-2.0-only
/* What part of a time a share of samples stands for. */
#include "analysis/estimate.h"

#include <math.h>

#define Z 1.959964 /* of the normal distribution, 95 % lie within so many standard deviations */

struct estimate estimate_time(uint64_t samples, uint64_t all_samples, uint64_t all_ns)
{
	double n = (double)all_samples, all = (double)all_ns, share = (double)samples / n;
	double weight = 1 + Z * Z / n;
	double center = (share + Z * Z / (2 * n)) / weight;
	double half = Z / weight * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n));
	double low = center - half, high = center + half;

	return (struct estimate){
		.ns = (uint64_t)(all * share),
		.low_ns = samples ? (uint64_t)(all * fmax(low, 0)) : 0,
		.high_ns = samples < all_samples ? (uint64_t)(all * fmin(high, 1)) : all_ns,
	};
}
