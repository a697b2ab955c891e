// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls THREADS CHILDREN CALLS [wait]: that many threads and child processes, each of which makes
 * CALLS getppid system calls, which libc makes nowhere by itself. With "wait" it first waits for a
 * byte on standard input.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long call_count;

static void make_calls(void)
{
	for (long i = 0; i < call_count; i++)
		syscall(SYS_getppid);
}

static void *run_thread(void *unused)
{
	(void)unused;
	make_calls();
	return NULL;
}

static void run_child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		exit(1);
	if (pid == 0) {
		make_calls();
		_exit(0);
	}
	if (waitpid(pid, NULL, 0) != pid)
		exit(1);
}

int main(int argc, char **argv)
{
	int threads, children;
	pthread_t *ids;
	char byte;

	if (argc < 4)
		return 2;
	threads = atoi(argv[1]);
	children = atoi(argv[2]);
	call_count = atol(argv[3]);
	ids = calloc((size_t)threads + 1, sizeof(*ids));
	if (!ids || (argc > 4 && !strcmp(argv[4], "wait") && read(0, &byte, 1) != 1))
		return 1;
	for (int i = 0; i < threads; i++) {
		if (pthread_create(&ids[i], NULL, run_thread, NULL))
			return 1;
	}
	for (int i = 0; i < children; i++)
		run_child();
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	free(ids);
	return 0;
}
