// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks THREADS COUNT: after a byte of input each thread sleeps COUNT times for some microseconds, below a number of
 * calls of recurse() that changes from one time to the next, directly or by way of three libraries.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef int chain_function(void *const *rest);
extern chain_function outer_call, middle_call, inner_call;

#define DEPTHS 12

static int count;

__attribute__((noipa)) static int nap(void *const *rest)
{
	const struct timespec pause = { 0, 20000 };

	return nanosleep(&pause, NULL) + (rest != NULL);
}

__attribute__((noipa)) static int recurse(int depth, int by_libraries)
{
	void *const chain[] = { middle_call, inner_call, nap };

	if (depth)
		return recurse(depth - 1, by_libraries) + 1;
	return (by_libraries ? outer_call(chain) : nap(chain)) + 1;
}

static void *run_thread(void *seed)
{
	unsigned int random = (unsigned int)(size_t)seed;
	int sum = 0;

	for (int i = 0; i < count; i++) {
		random = random * 1103515245 + 12345;
		sum += recurse((int)(random >> 16) % DEPTHS, random >> 30 & 1);
	}
	return sum ? NULL : seed;
}

int main(int argc, char **argv)
{
	int threads = argc == 3 ? atoi(argv[1]) : 0;
	pthread_t *ids = calloc((size_t)threads + 1, sizeof(*ids));
	char byte;

	if (!threads || !ids)
		return 2;
	count = atoi(argv[2]);
	if (read(STDIN_FILENO, &byte, 1) < 0)
		return 1;
	for (int i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, run_thread, (void *)(size_t)(i + 1)))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	return 0;
}
