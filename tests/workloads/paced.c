// SPDX-License-Identifier: GPL-2.0-only
/*
 * paced PER_SECOND MS [THEN]: calls library functions about that number of times a second for that time, three times
 * share_half() for each share_third(), and works in between; then as long again THEN (0: not at all) times a second. Prints
 * how often it called each in the one phase and the other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SECOND_NS 1000000000L
#define ROUNDS    20 /* in a call */
#define TRIED     2000000

unsigned long share_half(unsigned long rounds);
unsigned long share_third(unsigned long rounds);

static volatile unsigned long sink;

static long read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

__attribute__((noinline)) static void work(unsigned long rounds)
{
	unsigned long value = rounds | 1;

	/* Marsaglia's xorshift: no round before the last one. */
	for (; rounds; rounds--) {
		value ^= value << 13;
		value ^= value >> 7;
		value ^= value << 17;
	}
	sink += value;
}

/* How many take so long: by the fastest of some trials. */
static unsigned long rounds_in(long time_ns)
{
	long least_ns = SECOND_NS;

	for (int i = 0; i < 5; i++) {
		long begin_ns = read_clock(), took_ns;

		work(TRIED);
		took_ns = read_clock() - begin_ns;
		least_ns = took_ns < least_ns ? took_ns : least_ns;
	}
	return (unsigned long)((double)TRIED * (double)time_ns / (double)least_ns);
}

static void make_calls(long per_second, long ms, long made[2])
{
	long distance_ns = SECOND_NS / per_second, begin_ns = read_clock(), now_ns = begin_ns;
	unsigned long rounds = rounds_in(distance_ns);

	rounds = rounds > ROUNDS ? rounds - ROUNDS : 0;
	for (long call = 0; now_ns < begin_ns + ms * 1000000; call++) {
		sink += call % 4 ? share_half(ROUNDS) : share_third(ROUNDS);
		made[call % 4 == 0]++;
		work(rounds);
		if (distance_ns > 100000 || call % 64 == 0)
			now_ns = read_clock();
	}
}

int main(int argc, char **argv)
{
	long per_second = argc > 1 ? atol(argv[1]) : 1000, ms = argc > 2 ? atol(argv[2]) : 1000;
	long then = argc > 3 ? atol(argv[3]) : 0, first[2] = { 0 }, second[2] = { 0 };

	make_calls(per_second, ms, first);
	if (then)
		make_calls(then, ms, second);
	printf("share_half %ld %ld share_third %ld %ld\n", first[0], second[0], first[1], second[1]);
	return 0;
}
