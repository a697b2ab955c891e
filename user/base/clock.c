// SPDX-License-Identifier: GPL-2.0-only
#include "base/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

static struct {
	int64_t monotonic_ns;
	int64_t boottime_ns;
} ahead;

/* The file has the offsets of those that we make, who may be sent into another namespace: ours are not known then. */
static int offsets_are_ours(void)
{
	struct stat ours, children;

	return !stat("/proc/self/ns/time", &ours) && !stat("/proc/self/ns/time_for_children", &children) &&
	       ours.st_ino == children.st_ino;
}

/* Each line: the clock's name, seconds and nanoseconds to be added. Old kernels have no such file. */
static void read_offsets(void)
{
	FILE *file = offsets_are_ours() ? fopen("/proc/self/timens_offsets", "re") : NULL;
	long long seconds, ns;
	char name[16];

	if (!file)
		return;
	while (fscanf(file, "%15s %lld %lld", name, &seconds, &ns) == 3)
		*(name[0] == 'm' ? &ahead.monotonic_ns : &ahead.boottime_ns) =
			seconds * (int64_t)CLOCK_SECOND_NS + ns;
	fclose(file);
}

static void find_offsets(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_offsets);
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return clock_ns(&now);
}

uint64_t clock_now_ns(void)
{
	find_offsets();
	return read_clock(CLOCK_MONOTONIC) - (uint64_t)ahead.monotonic_ns;
}

uint64_t clock_booted_ns(void)
{
	return read_clock(CLOCK_BOOTTIME) - (uint64_t)clock_boottime_ahead_ns();
}

int64_t clock_boottime_ahead_ns(void)
{
	find_offsets();
	return ahead.boottime_ns;
}

int64_t clock_wall_ahead_ns(void)
{
	return (int64_t)(read_clock(CLOCK_REALTIME) - clock_now_ns());
}

uint64_t clock_process_cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t clock_thread_cpu_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

struct timespec clock_until(uint64_t time_ns)
{
	find_offsets();
	time_ns += (uint64_t)ahead.monotonic_ns;
	return (struct timespec){ (time_t)(time_ns / CLOCK_SECOND_NS), (long)(time_ns % CLOCK_SECOND_NS) };
}

void clock_sleep_until(uint64_t time_ns)
{
	const struct timespec until = clock_until(time_ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}
