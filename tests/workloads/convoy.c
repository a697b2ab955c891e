// SPDX-License-Identifier: GPL-2.0-only
/*
 * convoy THREADS ROUNDS HOLD_MS: in each round all threads want one lock at once, and each sleeps while it holds it. The
 * last one of a round waits for all others.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int rounds, hold_ms;

__attribute__((noipa)) static int hold(void)
{
	const struct timespec pause = { 0, hold_ms * 1000000L };

	return nanosleep(&pause, NULL);
}

__attribute__((noipa)) static void *run_member(void *unused)
{
	pthread_setname_np(pthread_self(), "member");
	for (int i = 0; i < rounds; i++) {
		pthread_barrier_wait(&barrier);
		pthread_mutex_lock(&lock);
		hold();
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	int threads = argc == 4 ? atoi(argv[1]) : 0;
	pthread_t *members = calloc((size_t)threads + 1, sizeof(*members));

	if (threads < 1 || !members)
		return 2;
	rounds = atoi(argv[2]);
	hold_ms = atoi(argv[3]);
	pthread_barrier_init(&barrier, NULL, (unsigned int)threads);
	for (int i = 0; i < threads; i++) {
		if (pthread_create(&members[i], NULL, run_member, NULL))
			return 1;
	}
	for (int i = 0; i < threads; i++)
		pthread_join(members[i], NULL);
	free(members);
	return 0;
}
