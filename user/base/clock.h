/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock that all recorded times are of. */
#ifndef SCALER_BASE_CLOCK_H
#define SCALER_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_SECOND_NS 1000000000ULL

static inline uint64_t clock_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * CLOCK_SECOND_NS + (uint64_t)time->tv_nsec;
}

/* CLOCK_MONOTONIC, as bpf_ktime_get_ns() has it. */
static inline uint64_t clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return clock_ns(&now);
}

#endif
