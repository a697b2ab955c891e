// SPDX-License-Identifier: GPL-2.0-only
/*
 * producer eventfd|socketpair|tcp ITEMS: "producer" sleeps for 5 ms for each item and then sends it to "consumer", the
 * main thread, which waits for each in read().
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ITEM_NS 5000000

/* What the producer writes to, and the consumer reads. */
static int ends[2];
static int items;

/* Its own functions stay on the stack. */
#define KEPT __attribute__((noipa))

static void expect_ok(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static KEPT int produce(void)
{
	const struct timespec nap = { .tv_nsec = ITEM_NS };

	return nanosleep(&nap, NULL);
}

static void *run_producer(void *unused)
{
	const uint64_t item = 1;

	pthread_setname_np(pthread_self(), "producer");
	for (int i = 0; i < items; i++) {
		expect_ok(!produce(), "nanosleep");
		expect_ok(write(ends[0], &item, sizeof(item)) == sizeof(item), "write");
	}
	return unused;
}

static KEPT void consume(void)
{
	uint64_t item;

	expect_ok(read(ends[1], &item, sizeof(item)) == sizeof(item), "read");
}

static void connect_tcp(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	expect_ok(!bind(listener, (struct sockaddr *)&address, size), "bind");
	expect_ok(!listen(listener, 1), "listen");
	expect_ok(!getsockname(listener, (struct sockaddr *)&address, &size), "getsockname");
	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	expect_ok(!connect(ends[0], (struct sockaddr *)&address, size), "connect");
	ends[1] = accept(listener, NULL, NULL);
	expect_ok(ends[1] >= 0, "accept");
}

static bool open_ends(const char *way)
{
	if (!strcmp(way, "eventfd"))
		ends[0] = ends[1] = eventfd(0, EFD_SEMAPHORE);
	else if (!strcmp(way, "socketpair"))
		expect_ok(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
	else if (!strcmp(way, "tcp"))
		connect_tcp();
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	pthread_t producer;

	items = argc == 3 ? atoi(argv[2]) : 0;
	if (items < 1 || !open_ends(argv[1]))
		return 2;
	pthread_setname_np(pthread_self(), "consumer");
	expect_ok(!pthread_create(&producer, NULL, run_producer, NULL), "pthread_create");
	for (int i = 0; i < items; i++)
		consume();
	pthread_join(producer, NULL);
	return 0;
}
