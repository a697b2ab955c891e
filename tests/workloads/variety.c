// SPDX-License-Identifier: GPL-2.0-only
/*
 * variety THREADS: that many threads, all alive at once, of which each makes 27 different system calls, most of
 * which fail. They wait for a byte on standard input before that, and for each other after it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static const long calls[] = {
	SYS_getpid,  SYS_getppid, SYS_gettid, SYS_getuid,  SYS_geteuid,    SYS_getgid,      SYS_getegid,
	SYS_getpgid, SYS_getsid,  SYS_times,  SYS_sysinfo, SYS_getcpu,     SYS_getpgrp,     SYS_getrusage,
	SYS_capget,  SYS_umask,   SYS_uname,  SYS_alarm,   SYS_getitimer,  SYS_getcwd,      SYS_sched_yield,
	SYS_dup,     SYS_fcntl,   SYS_lseek,  SYS_fstat,   SYS_getdents64, SYS_personality,
};

static pthread_barrier_t ready, done;

static void *run_thread(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&ready);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		syscall(calls[i], -1, NULL, 0);
	pthread_barrier_wait(&done);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int threads = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	pthread_t *ids = calloc(threads + 1, sizeof(*ids));
	pthread_attr_t attributes;
	char byte;

	if (!threads || !ids || pthread_attr_init(&attributes) ||
	    pthread_attr_setstacksize(&attributes, 64 * 1024) ||
	    pthread_barrier_init(&ready, NULL, threads + 1) || pthread_barrier_init(&done, NULL, threads))
		return 1;
	for (unsigned int i = 0; i < threads; i++) {
		if (pthread_create(&ids[i], &attributes, run_thread, NULL))
			return 1;
	}
	if (read(STDIN_FILENO, &byte, 1) != 1)
		return 1;
	pthread_barrier_wait(&ready);
	for (unsigned int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	free(ids);
	return 0;
}
