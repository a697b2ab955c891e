// SPDX-License-Identifier: GPL-2.0-only
/*
 * pool WORKERS JOBS: a pool of threads, named "worker-1" and so on, takes jobs from one queue, whose lock a worker has
 * for the 3 ms that it takes to take one, while a job itself takes 1 ms.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TAKE_NS 3000000
#define JOB_NS  1000000

static struct {
	pthread_mutex_t lock;
	int jobs;
} queue = { PTHREAD_MUTEX_INITIALIZER, 0 };

/* Its own functions stay on the stack. */
#define KEPT __attribute__((noipa))

static KEPT int look_up(void)
{
	const struct timespec nap = { .tv_nsec = TAKE_NS };

	return nanosleep(&nap, NULL);
}

static KEPT int take_job(void)
{
	int job;

	pthread_mutex_lock(&queue.lock);
	job = queue.jobs;
	if (job) {
		look_up();
		queue.jobs--;
	}
	pthread_mutex_unlock(&queue.lock);
	return job;
}

static KEPT int do_job(void)
{
	const struct timespec nap = { .tv_nsec = JOB_NS };

	return nanosleep(&nap, NULL);
}

static void *run_worker(void *name)
{
	pthread_setname_np(pthread_self(), name);
	while (take_job())
		do_job();
	return name;
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[1]) : 0;
	pthread_t *workers = calloc((size_t)count + 1, sizeof(*workers));
	char(*names)[32] = calloc((size_t)count + 1, sizeof(*names));

	if (count < 1 || !workers || !names)
		return 2;
	queue.jobs = atoi(argv[2]);
	for (int i = 0; i < count; i++) {
		snprintf(names[i], sizeof(names[i]), "worker-%d", i + 1);
		if (pthread_create(&workers[i], NULL, run_worker, names[i]))
			return 1;
	}
	for (int i = 0; i < count; i++)
		pthread_join(workers[i], NULL);
	free(names);
	free(workers);
	return 0;
}
