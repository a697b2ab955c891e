// SPDX-License-Identifier: GPL-2.0-only
/*
 * rates PER_SECOND MS [SLEEPS]: makes that number of system calls a second for that time, at equal distances, three getppid() for
 * each read() of one byte of /dev/zero; 0: as many as it can. Beside it a thread sleeps SLEEPS times (0) for 10 ms. Prints
 * how many of each there were.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS 1000000000L

static long read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

/* Not inline, to be found in stacks. */
__attribute__((noinline)) static long sleep_for_long(long sleeps)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	for (long i = 0; i < sleeps; i++)
		nanosleep(&pause, NULL);
	return sleeps;
}

static void *run_sleeper(void *sleeps)
{
	return (void *)sleep_for_long((long)sleeps);
}

__attribute__((noinline)) static void make_calls(int zero, long distance_ns, long end_ns, long made[2])
{
	long due_ns = read_clock();
	char byte;

	for (long call = 0; due_ns < end_ns; call++) {
		if (call % 4)
			getppid();
		else if (read(zero, &byte, 1) != 1)
			abort();
		made[call % 4 == 0]++;
		due_ns += distance_ns;
		while (distance_ns && read_clock() < due_ns)
			;
		if (!distance_ns && call % 64 == 0)
			due_ns = read_clock();
	}
}

int main(int argc, char **argv)
{
	long per_second = argc > 1 ? atol(argv[1]) : 1000, ms = argc > 2 ? atol(argv[2]) : 1000,
	     made[2] = { 0 };
	long sleeps = argc > 3 ? atol(argv[3]) : 0;
	int zero = open("/dev/zero", O_RDONLY);
	pthread_t sleeper;

	if (zero < 0 || (sleeps && pthread_create(&sleeper, NULL, run_sleeper, (void *)sleeps)))
		return 1;
	make_calls(zero, per_second ? SECOND_NS / per_second : 0, read_clock() + ms * 1000000, made);
	if (sleeps)
		pthread_join(sleeper, NULL);
	printf("getppid %ld read %ld sleeps %ld\n", made[0], made[1], sleeps);
	return 0;
}
