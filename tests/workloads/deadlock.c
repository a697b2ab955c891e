// SPDX-License-Identifier: GPL-2.0-only
/* deadlock: two threads each hold one lock and want the other's, for ever; a third one polls for the first. */
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both_hold;

__attribute__((noipa)) static void lock_both(const char *name, pthread_mutex_t *mine, pthread_mutex_t *other)
{
	pthread_setname_np(pthread_self(), name);
	pthread_mutex_lock(mine);
	pthread_barrier_wait(&both_hold);
	pthread_mutex_lock(other);
}

static void *run_left(void *unused)
{
	lock_both("left", &first, &second);
	return unused;
}

static void *run_right(void *unused)
{
	lock_both("right", &second, &first);
	return unused;
}

__attribute__((noipa)) static void *run_poller(void *unused)
{
	struct timespec until;

	pthread_setname_np(pthread_self(), "poller");
	pthread_barrier_wait(&both_hold);
	for (;;) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 20000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_mutex_timedlock(&first, &until);
	}
	return unused;
}

int main(void)
{
	pthread_t left, right, poller;
	char byte;

	pthread_barrier_init(&both_hold, NULL, 3);
	if (pthread_create(&left, NULL, run_left, NULL) || pthread_create(&right, NULL, run_right, NULL) ||
	    pthread_create(&poller, NULL, run_poller, NULL))
		return 1;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}
