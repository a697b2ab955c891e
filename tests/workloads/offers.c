// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server without clients: "dispatcher" waits three times for 60 ms for a connection that does not come, and each time
 * then hands a job to "worker", which waits for that on a condition variable and takes 20 ms for it. Meanwhile "locked"
 * waits for a lock that the dispatcher has while it waits.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS  3
#define WAIT_MS 60
#define JOB_NS  20000000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t offered = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t begins;
static int jobs;

/* Its own functions stay on the stack. */
#define KEPT __attribute__((noinline))

static void expect_ok(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static KEPT void take_job(void)
{
	pthread_mutex_lock(&lock);
	while (!jobs)
		pthread_cond_wait(&offered, &lock);
	jobs--;
	pthread_mutex_unlock(&lock);
}

static KEPT void do_job(void)
{
	const struct timespec time = { .tv_nsec = JOB_NS };

	expect_ok(!clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL), "clock_nanosleep");
}

static void *worker(void *argument)
{
	pthread_setname_np(pthread_self(), "worker");
	pthread_barrier_wait(&begins);
	for (int i = 0; i < ROUNDS; i++) {
		take_job();
		do_job();
	}
	return argument;
}

static void *locked(void *argument)
{
	pthread_setname_np(pthread_self(), "locked");
	pthread_barrier_wait(&begins);
	usleep(1000);
	pthread_mutex_lock(&held);
	pthread_mutex_unlock(&held);
	return argument;
}

static int listen_somewhere(void)
{
	const struct sockaddr_in address = { .sin_family = AF_INET,
					     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	expect_ok(fd >= 0, "socket");
	expect_ok(!bind(fd, (const struct sockaddr *)&address, sizeof(address)) && !listen(fd, 1), "listen");
	return fd;
}

static KEPT void wait_for_client(int listener)
{
	struct pollfd entry = { .fd = listener, .events = POLLIN };

	expect_ok(!poll(&entry, 1, WAIT_MS), "poll");
}

static KEPT void offer_job(void)
{
	pthread_mutex_lock(&lock);
	jobs++;
	pthread_cond_signal(&offered);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	int listener = listen_somewhere();
	pthread_t threads[2];

	pthread_setname_np(pthread_self(), "dispatcher");
	expect_ok(!pthread_barrier_init(&begins, NULL, 3), "pthread_barrier_init");
	pthread_mutex_lock(&held);
	expect_ok(!pthread_create(&threads[0], NULL, worker, NULL), "pthread_create");
	expect_ok(!pthread_create(&threads[1], NULL, locked, NULL), "pthread_create");
	pthread_barrier_wait(&begins);
	for (int i = 0; i < ROUNDS; i++) {
		wait_for_client(listener);
		offer_job();
	}
	pthread_mutex_unlock(&held);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
