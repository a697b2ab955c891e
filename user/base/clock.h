/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock that all recorded times are of. */
#ifndef SCALER_BASE_CLOCK_H
#define SCALER_BASE_CLOCK_H

#include <errno.h>
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

static inline struct timespec clock_timespec(uint64_t time_ns)
{
	return (struct timespec){ (time_t)(time_ns / CLOCK_SECOND_NS), (long)(time_ns % CLOCK_SECOND_NS) };
}

/* A signal does not end it. */
static inline void clock_sleep_until(uint64_t time_ns)
{
	const struct timespec until = clock_timespec(time_ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

#endif
