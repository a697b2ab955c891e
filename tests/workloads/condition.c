// SPDX-License-Identifier: GPL-2.0-only
/* Two threads wait on a condition variable, and each holds its mutex for 30 ms when it has it. For any C library. */
#include <pthread.h>
#include <time.h>

#define PAUSE_NS 30000000

static void pause_some(void)
{
	struct timespec pause = { 0, PAUSE_NS };

	nanosleep(&pause, NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int has_changed, waiters;

static void *wait_for_change(void *unused)
{
	(void)unused;
	pthread_setname_np(pthread_self(), "waiter");
	pthread_mutex_lock(&mutex);
	waiters++;
	while (!has_changed)
		pthread_cond_wait(&changed, &mutex);
	pause_some();
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, wait_for_change, NULL);
	do {
		pause_some();
		pthread_mutex_lock(&mutex);
		has_changed = waiters == 2;
		if (has_changed)
			pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
	} while (!has_changed);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
