// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chains of waits that are known by construction: "asker" waits on a condition variable for "middle", which waits on a
 * pipe for "sleeper", which sleeps for 50 ms; so many times as the argument says. Prints for how long it asked and slept,
 * in ns.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SLEEP_NS 50000000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static bool has_answer;
static int requests[2], naps[2];
static uint64_t asked_ns, slept_ns;

/* Its own functions stay on the stack. */
#define KEPT __attribute__((noinline))

static void expect_ok(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static KEPT void take_nap(void)
{
	const struct timespec nap = { .tv_nsec = SLEEP_NS };
	uint64_t start_ns = now_ns();

	expect_ok(!clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL), "clock_nanosleep");
	slept_ns += now_ns() - start_ns;
}

static KEPT bool take_byte(int fd)
{
	char byte;
	ssize_t got = read(fd, &byte, 1);

	expect_ok(got >= 0, "read");
	return got == 1;
}

static KEPT void give_byte(int fd)
{
	expect_ok(write(fd, "", 1) == 1, "write");
}

static void *sleeper(void *argument)
{
	pthread_setname_np(pthread_self(), "sleeper");
	while (take_byte(requests[0])) {
		take_nap();
		give_byte(naps[1]);
	}
	return argument;
}

static KEPT void answer(void)
{
	pthread_mutex_lock(&lock);
	has_answer = true;
	pthread_cond_signal(&answered);
	pthread_mutex_unlock(&lock);
}

static void *middle(void *argument)
{
	long count = *(const long *)argument;

	pthread_setname_np(pthread_self(), "middle");
	for (long i = 0; i < count; i++) {
		give_byte(requests[1]);
		take_byte(naps[0]);
		answer();
	}
	return NULL;
}

static KEPT void ask(void)
{
	uint64_t start_ns = now_ns();

	pthread_mutex_lock(&lock);
	while (!has_answer)
		pthread_cond_wait(&answered, &lock);
	has_answer = false;
	pthread_mutex_unlock(&lock);
	asked_ns += now_ns() - start_ns;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
	pthread_t threads[2];

	pthread_setname_np(pthread_self(), "asker");
	expect_ok(!pipe(requests) && !pipe(naps), "pipe");
	expect_ok(!pthread_create(&threads[0], NULL, sleeper, NULL), "pthread_create");
	expect_ok(!pthread_create(&threads[1], NULL, middle, &count), "pthread_create");
	for (long i = 0; i < count; i++)
		ask();
	pthread_join(threads[1], NULL);
	close(requests[1]);
	pthread_join(threads[0], NULL);
	printf("%" PRIu64 " %" PRIu64 "\n", asked_ns, slept_ns);
	return 0;
}
