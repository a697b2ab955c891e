// SPDX-License-Identifier: GPL-2.0-only
/*
 * A priority inversion, five times: "low" holds a lock, for which "high" waits on one CPU; on the other "medium", which is
 * more urgent than "low", takes 40 ms of the CPU that "low" needs to go on. All at ordinary scheduling, of different
 * niceness. With one CPU all three are on it.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define TIMES     5
#define LOW_NS    10000000
#define MEDIUM_NS 40000000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t is_locked, is_over;

static void expect_ok(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

/* The last of the allowed CPUs, or the first one. */
static void become(const char *name, int niceness, int wants_last)
{
	cpu_set_t allowed, chosen;
	int cpu;

	pthread_setname_np(pthread_self(), name);
	expect_ok(!setpriority(PRIO_PROCESS, 0, niceness), "setpriority");
	expect_ok(!sched_getaffinity(getppid(), sizeof(allowed), &allowed), "sched_getaffinity");
	cpu = wants_last ? CPU_SETSIZE - 1 : 0;
	while (!CPU_ISSET(cpu, &allowed))
		cpu += wants_last ? -1 : 1;
	CPU_ZERO(&chosen);
	CPU_SET(cpu, &chosen);
	expect_ok(!sched_setaffinity(0, sizeof(chosen), &chosen), "sched_setaffinity");
}

__attribute__((noipa)) static void burn(long time_ns)
{
	struct timespec start, used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	} while ((used.tv_sec - start.tv_sec) * 1000000000 + used.tv_nsec - start.tv_nsec < time_ns);
}

static void *run_low(void *unused)
{
	become("low", 19, 1);
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&lock);
		pthread_barrier_wait(&is_locked);
		burn(LOW_NS);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&is_over);
	}
	return unused;
}

static void *run_medium(void *unused)
{
	become("medium", -20, 1);
	for (int i = 0; i < TIMES; i++) {
		pthread_barrier_wait(&is_locked);
		burn(MEDIUM_NS);
		pthread_barrier_wait(&is_over);
	}
	return unused;
}

int main(void)
{
	pthread_t low, medium;

	become("high", 0, 0);
	expect_ok(!pthread_barrier_init(&is_locked, NULL, 3), "pthread_barrier_init");
	expect_ok(!pthread_barrier_init(&is_over, NULL, 3), "pthread_barrier_init");
	expect_ok(!pthread_create(&low, NULL, run_low, NULL), "pthread_create");
	expect_ok(!pthread_create(&medium, NULL, run_medium, NULL), "pthread_create");
	for (int i = 0; i < TIMES; i++) {
		pthread_barrier_wait(&is_locked);
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&is_over);
	}
	pthread_join(low, NULL);
	pthread_join(medium, NULL);
	return 0;
}
