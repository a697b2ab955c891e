// SPDX-License-Identifier: GPL-2.0-only
/*
 * mallocs MS: waits for a line, or the end, of its input; then malloc() and free() in turn for so long. Prints how many
 * turns a second in the first 200 ms, and after.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FIRST_MS 200
#define BATCH    1000

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Not to be known to the compiler, which would leave both out. */
static void *(*volatile allocate)(size_t) = malloc;
static void (*volatile release)(void *) = free;

static double turns_a_second(double ms)
{
	double began_ms = now_ms(), passed_ms;
	unsigned long turns = 0;

	do {
		for (int i = 0; i < BATCH; i++)
			release(allocate(32));
		turns += BATCH;
		passed_ms = now_ms() - began_ms;
	} while (passed_ms < ms);
	return (double)turns * 1e3 / passed_ms;
}

int main(int argc, char **argv)
{
	double ms = argc > 1 ? strtod(argv[1], NULL) : 0;

	getchar();
	printf("%.0f\n", turns_a_second(FIRST_MS));
	printf("%.0f\n", turns_a_second(ms - FIRST_MS));
	return 0;
}
