// SPDX-License-Identifier: GPL-2.0-only
/*
 * herd N: N threads, named "waiter", read one eventfd, which the main thread, named "waker", writes N times, each time
 * when all that have not read it yet sleep. The kernel wakes all of these at each write, all but one of them in vain.
 * Waits for a byte of input first.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

struct reader {
	pthread_t thread;
	_Atomic pid_t tid; /* 0: does not read yet */
	atomic_bool is_done;
};

static int fd;

static void *read_one(void *context)
{
	struct reader *reader = context;
	uint64_t value;

	prctl(PR_SET_NAME, "waiter");
	reader->tid = gettid();
	if (read(fd, &value, sizeof(value)) != sizeof(value))
		exit(1);
	reader->is_done = true;
	return NULL;
}

static bool is_asleep(pid_t tid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%*d (waiter) %c", &state) != 1)
		state = 0;
	if (file)
		fclose(file);
	return state == 'S';
}

/* The number of those that have read, or -1 if one is on its way. */
static long count_done(const struct reader *readers, long count)
{
	long done = 0;

	for (long i = 0; i < count; i++) {
		if (readers[i].is_done)
			done++;
		else if (!readers[i].tid || !is_asleep(readers[i].tid))
			return -1;
	}
	return done;
}

int main(int argc, char **argv)
{
	const uint64_t one = 1;
	long count = argc == 2 ? atol(argv[1]) : 0;
	struct reader *readers = calloc((size_t)count + 1, sizeof(*readers));
	char byte;

	prctl(PR_SET_NAME, "waker");
	fd = eventfd(0, EFD_SEMAPHORE);
	if (count <= 0 || !readers || fd < 0 || read(STDIN_FILENO, &byte, 1) < 0)
		return 2;
	for (long i = 0; i < count; i++) {
		if (pthread_create(&readers[i].thread, NULL, read_one, &readers[i]))
			return 1;
	}
	for (long i = 0; i < count; i++) {
		while (count_done(readers, count) != i)
			usleep(2000);
		usleep(20000);
		if (write(fd, &one, sizeof(one)) != sizeof(one))
			return 1;
	}
	for (long i = 0; i < count; i++)
		pthread_join(readers[i].thread, NULL);
	free(readers);
	return 0;
}
