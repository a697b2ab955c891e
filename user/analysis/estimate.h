/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What part of a time, which is known exactly, a share of samples stands for: with the 95 % interval of Wilson's
 * score (E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22, 1927).
 */
#ifndef SCALER_ANALYSIS_ESTIMATE_H
#define SCALER_ANALYSIS_ESTIMATE_H

#include <stdint.h>

struct estimate {
	uint64_t ns;
	uint64_t low_ns; /* in 95 of 100 recordings the true value lies from here */
	uint64_t high_ns;
};

/* Of all samples there is at least one. */
struct estimate estimate_time(uint64_t samples, uint64_t all_samples, uint64_t all_ns);

#endif
