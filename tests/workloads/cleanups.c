// SPDX-License-Identifier: GPL-2.0-only
/*
 * cleanups COUNT: so many threads one after another that are cancelled in read(), and so many that end in a function
 * that qsort() calls. Each has registered what to do then, in C; prints how often it was done.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int empty_pipe[2], cleaned;

static void clean_up(void *argument)
{
	(void)argument;
	cleaned++;
}

static void *wait_in_read(void *argument)
{
	char byte;

	pthread_cleanup_push(clean_up, NULL);
	if (read(empty_pipe[0], &byte, 1) != 1)
		abort();
	pthread_cleanup_pop(0);
	return argument;
}

static int end_thread(const void *left, const void *right)
{
	(void)left;
	(void)right;
	pthread_exit(NULL);
}

static void *sort(void *argument)
{
	int numbers[] = { 2, 1 };

	pthread_cleanup_push(clean_up, NULL);
	qsort(numbers, 2, sizeof(*numbers), end_thread);
	pthread_cleanup_pop(0);
	return argument;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t thread;

	if (pipe(empty_pipe))
		return 1;
	for (int i = 0; i < 2 * count; i++) {
		if (pthread_create(&thread, NULL, i % 2 ? wait_in_read : sort, NULL))
			return 1;
		if (i % 2) {
			usleep(5000); /* it may be in read() or not yet: it is cancelled there in both cases */
			pthread_cancel(thread);
		}
		pthread_join(thread, NULL);
	}
	printf("%d cleaned up\n", cleaned);
	return 0;
}
