// SPDX-License-Identifier: GPL-2.0-only
/*
 * broadcast N: N threads, named "waiter", wait for a condition variable, which the main thread, named "waker", tells
 * all at once when all of them sleep. Waits for a byte of input first.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static long waiting;
static bool is_done;

static void *wait_condition(void *context)
{
	prctl(PR_SET_NAME, "waiter");
	pthread_mutex_lock(&lock);
	waiting++;
	while (!is_done)
		pthread_cond_wait(&condition, &lock);
	pthread_mutex_unlock(&lock);
	return context;
}

/* With the lock all of them wait for the condition, but the last ones may not sleep yet. */
static bool wake_all(long count)
{
	bool is_all;

	usleep(20000);
	pthread_mutex_lock(&lock);
	is_all = is_done = waiting == count;
	pthread_mutex_unlock(&lock);
	if (is_all)
		pthread_cond_broadcast(&condition);
	return is_all;
}

int main(int argc, char **argv)
{
	long count = argc == 2 ? atol(argv[1]) : 0;
	pthread_t *threads = calloc((size_t)count + 1, sizeof(*threads));
	char byte;

	prctl(PR_SET_NAME, "waker");
	if (count <= 0 || !threads || read(STDIN_FILENO, &byte, 1) < 0)
		return 2;
	for (long i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL, wait_condition, NULL))
			return 1;
	}
	while (!wake_all(count))
		;
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
