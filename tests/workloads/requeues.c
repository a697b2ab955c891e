// SPDX-License-Identifier: GPL-2.0-only
/*
 * requeues WAY: the thread "waiter" waits on "condition", and is moved to "lock" after PAUSE, where it is woken PAUSE later;
 * or on one of several futexes, or asynchronous I/O. With condition: two threads wait on a condition variable, and each holds
 * its mutex for PAUSE when it has it.
 */
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_NS 30000000

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

static uint32_t condition, lock, other;
static volatile int is_waiting;

static void pause_some(void)
{
	struct timespec pause = { 0, PAUSE_NS };

	nanosleep(&pause, NULL);
}

static long futex(uint32_t *address, int operation, uint32_t value, uintptr_t more, uint32_t *second,
		  uint32_t third)
{
	return syscall(SYS_futex, address, operation | FUTEX_PRIVATE_FLAG, value, more, second, third);
}

static void wait_moved(void)
{
	futex(&condition, FUTEX_WAIT, 0, 0, NULL, 0);
}

static void move(void)
{
	futex(&condition, FUTEX_CMP_REQUEUE, 0, 1, &lock, 0);
}

static void wake_moved(void)
{
	futex(&lock, FUTEX_WAKE, 1, 0, NULL, 0);
}

static void wait_pi(void)
{
	futex(&condition, FUTEX_WAIT_REQUEUE_PI, 0, 0, &lock, 0);
}

static void take_pi(void)
{
	lock = (uint32_t)gettid();
}

static void move_pi(void)
{
	futex(&condition, FUTEX_CMP_REQUEUE_PI, 1, 0, &lock, 0);
}

static void wake_pi(void)
{
	futex(&lock, FUTEX_UNLOCK_PI, 0, 0, NULL, 0);
}

struct waited {
	uint64_t value, address;
	uint32_t flags, zero;
};

static void wait_several(void)
{
	struct waited several[] = {
		{ 0, (uintptr_t)&condition, 2 | FUTEX_PRIVATE_FLAG, 0 },
		{ 0, (uintptr_t)&lock, 2 | FUTEX_PRIVATE_FLAG, 0 },
		{ 0, (uintptr_t)&other, 2 | FUTEX_PRIVATE_FLAG, 0 },
	};

	syscall(SYS_futex_waitv, several, 3, 0, NULL, 0);
}

static void wait_several_timed(void)
{
	struct waited several[] = {
		{ 0, (uintptr_t)&condition, 2 | FUTEX_PRIVATE_FLAG, 0 },
		{ 0, (uintptr_t)&lock, 2 | FUTEX_PRIVATE_FLAG, 0 },
	};
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += PAUSE_NS;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	syscall(SYS_futex_waitv, several, 2, 0, &end, CLOCK_MONOTONIC);
}

static void wait_aio(void)
{
	struct timespec most = { 0, PAUSE_NS };
	aio_context_t context = 0;
	struct io_event event;

	syscall(SYS_io_setup, 1, &context);
	printf("context=%llu\n", (unsigned long long)context);
	syscall(SYS_io_getevents, context, 1, 1, &event, &most);
	syscall(SYS_io_destroy, context);
}

static void nothing(void)
{
}

static const struct way {
	const char *name;
	void (*prepare)(void);
	void (*wait)(void);
	void (*move)(void);
	void (*wake)(void);
} ways[] = {
	{ "moved", nothing, wait_moved, move, wake_moved },
	{ "pi", take_pi, wait_pi, move_pi, wake_pi },
	{ "several", nothing, wait_several, nothing, wake_moved },
	{ "several-timed", nothing, wait_several_timed, nothing, nothing },
	{ "aio", nothing, wait_aio, nothing, nothing },
};

static void *run_waiter(void *way)
{
	pthread_setname_np(pthread_self(), "waiter");
	is_waiting = 1;
	((const struct way *)way)->wait();
	return NULL;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	pthread_t waiter;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(ways[i].name, name))
			continue;
		ways[i].prepare();
		pthread_create(&waiter, NULL, run_waiter, (void *)&ways[i]);
		while (!is_waiting)
			;
		pause_some();
		ways[i].move();
		pause_some();
		ways[i].wake();
		pthread_join(waiter, NULL);
		return 0;
	}
	return 2;
}
