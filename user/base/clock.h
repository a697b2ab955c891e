/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All clocks are read here. Times are the machine's, as the kernel side has them: in a time namespace (time_namespaces(7))
 * its own clocks of the first two kinds are others, by offsets that are fixed before a process is in it.
 */
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
uint64_t clock_now_ns(void);
/* CLOCK_BOOTTIME, as bpf_ktime_get_boot_ns() has it. */
uint64_t clock_booted_ns(void);
/* How far our CLOCK_BOOTTIME is ahead of the machine's: in that are what /proc says of processes' beginnings. */
int64_t clock_boottime_ahead_ns(void);
/* CLOCK_REALTIME less CLOCK_MONOTONIC. */
int64_t clock_wall_ahead_ns(void);
/* Of the calling process or thread, since it began. */
uint64_t clock_process_cpu_ns(void);
uint64_t clock_thread_cpu_ns(void);

/* A time of CLOCK_MONOTONIC, as functions of the system that wait until a moment of it want it. */
struct timespec clock_until(uint64_t time_ns);
/* A signal does not end it. */
void clock_sleep_until(uint64_t time_ns);

#endif
