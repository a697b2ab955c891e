// SPDX-License-Identifier: GPL-2.0-only
/*
 * sleepers wait|turns THREADS: until the end of input each thread sleeps by way of three libraries and of nap(),
 * without an end; or in turns so for some milliseconds, and in poll(), called from doze().
 */
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int chain_function(void *const *rest);
extern chain_function outer_call, middle_call, inner_call;

static bool in_turns;

__attribute__((noipa)) static int nap(void *const *rest)
{
	const struct timespec pause = { in_turns ? 0 : 3600, 20000000 };

	return nanosleep(&pause, NULL) + (rest != NULL);
}

__attribute__((noipa)) static int doze(int milliseconds)
{
	return poll(NULL, 0, milliseconds) + 1;
}

static void *run_thread(void *unused)
{
	void *const chain[] = { middle_call, inner_call, nap };
	int sum = unused != NULL;

	do {
		sum += outer_call(chain);
		/* Its result is made use of, or it would jump to poll() and leave no frame. */
		sum += doze(20);
	} while (in_turns);
	return sum ? NULL : unused;
}

int main(int argc, char **argv)
{
	int threads = argc == 3 ? atoi(argv[2]) : 0;
	pthread_t thread;
	char byte;

	if (!threads)
		return 2;
	in_turns = !strcmp(argv[1], "turns");
	while (threads--)
		if (pthread_create(&thread, NULL, run_thread, NULL))
			return 1;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}
