// SPDX-License-Identifier: GPL-2.0-only
/* Threads of the names that it is given, each of which sleeps for a while. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static void *run_thread(void *name)
{
	prctl(PR_SET_NAME, name);
	for (int i = 0; i < 5; i++)
		usleep(1000);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t *threads = calloc((size_t)argc, sizeof(*threads));

	for (int i = 1; threads && i < argc; i++) {
		if (pthread_create(&threads[i], NULL, run_thread, argv[i]))
			abort();
	}
	for (int i = 1; threads && i < argc; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
