// SPDX-License-Identifier: GPL-2.0-only
/*
 * waits HOW: the main thread, named "waiter", blocks once and for known reasons, for at least 50 ms, after which a
 * thread named "waker", or what else HOW says, ends it. Prints when it began to wait and when it went on, in ns of
 * CLOCK_MONOTONIC. Waits for a byte of input first.
 * mutex, condition, join, pipe, socketpair, eventfd, tcp, udp: by the thread. child: by a process of that name that
 * exits. sleep, poll: by a timer.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_NS 50000000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t ready;
static bool is_done;
static int fds[2]; /* to read from, to write to */

static void pause_for(long time_ns)
{
	const struct timespec pause = { 0, time_ns };

	nanosleep(&pause, NULL);
}

static void open_pipe(void)
{
	if (pipe(fds))
		exit(1);
}

static void open_socketpair(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		exit(1);
}

static void open_eventfd(void)
{
	fds[0] = fds[1] = eventfd(0, 0);
}

static int bound_socket(int type, struct sockaddr_in *address)
{
	socklen_t length = sizeof(*address);
	int fd = socket(AF_INET, type, 0);

	*address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (fd < 0 || bind(fd, (struct sockaddr *)address, length) ||
	    getsockname(fd, (struct sockaddr *)address, &length))
		exit(1);
	return fd;
}

static void open_tcp(void)
{
	struct sockaddr_in address;
	int listener = bound_socket(SOCK_STREAM, &address);

	fds[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (listen(listener, 1) || connect(fds[1], (struct sockaddr *)&address, sizeof(address)))
		exit(1);
	fds[0] = accept(listener, NULL, NULL);
}

static void open_udp(void)
{
	struct sockaddr_in address;

	fds[0] = bound_socket(SOCK_DGRAM, &address);
	fds[1] = socket(AF_INET, SOCK_DGRAM, 0);
	if (connect(fds[1], (struct sockaddr *)&address, sizeof(address)))
		exit(1);
}

/* Eight bytes, as eventfd wants them. */
static void write_some(void)
{
	uint64_t one = 1;

	if (write(fds[1], &one, sizeof(one)) != sizeof(one))
		exit(1);
}

static void read_some(void)
{
	uint64_t got;

	if (read(fds[0], &got, sizeof(got)) != sizeof(got))
		exit(1);
}

static void take_lock(void)
{
	pthread_mutex_lock(&lock);
}

static void release_lock(void)
{
	pthread_mutex_unlock(&lock);
}

static void wait_condition(void)
{
	pthread_mutex_lock(&lock);
	while (!is_done)
		pthread_cond_wait(&condition, &lock);
	pthread_mutex_unlock(&lock);
}

static void signal_condition(void)
{
	pthread_mutex_lock(&lock);
	is_done = true;
	pthread_mutex_unlock(&lock);
	pthread_cond_signal(&condition);
}

static void nothing(void)
{
}

static pthread_t waker;

static void join(void)
{
	pthread_join(waker, NULL);
}

static void sleep_alone(void)
{
	pause_for(PAUSE_NS);
}

static void poll_nothing(void)
{
	poll(NULL, 0, PAUSE_NS / 1000000);
}

static void wait_child(void)
{
	if (waitpid(-1, NULL, 0) < 0)
		exit(1);
}

static void fork_child(void)
{
	if (fork())
		return;
	prctl(PR_SET_NAME, "waker");
	pause_for(PAUSE_NS);
	_exit(0);
}

static const struct way {
	const char *name;
	void (*prepare)(void);
	void (*wait)(void);
	void (*before)(void); /* what the waker does before it pauses; NULL: there is no waker */
	void (*wake)(void);
} ways[] = {
	{ "mutex", nothing, take_lock, take_lock, release_lock },
	{ "condition", nothing, wait_condition, nothing, signal_condition },
	{ "join", nothing, join, nothing, nothing },
	{ "pipe", open_pipe, read_some, nothing, write_some },
	{ "socketpair", open_socketpair, read_some, nothing, write_some },
	{ "eventfd", open_eventfd, read_some, nothing, write_some },
	{ "tcp", open_tcp, read_some, nothing, write_some },
	{ "udp", open_udp, read_some, nothing, write_some },
	{ "child", fork_child, wait_child, NULL, NULL },
	{ "sleep", nothing, sleep_alone, NULL, NULL },
	{ "poll", nothing, poll_nothing, NULL, NULL },
};

static void *run_waker(void *context)
{
	const struct way *way = context;

	prctl(PR_SET_NAME, "waker");
	way->before();
	pthread_barrier_wait(&ready);
	pause_for(PAUSE_NS);
	way->wake();
	return NULL;
}

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void run(const struct way *way)
{
	uint64_t began_ns;

	way->prepare();
	if (way->before) {
		pthread_barrier_init(&ready, NULL, 2);
		if (pthread_create(&waker, NULL, run_waker, (void *)way))
			exit(1);
		pthread_barrier_wait(&ready);
	}
	began_ns = clock_ns();
	way->wait();
	printf("%" PRIu64 " %" PRIu64 "\n", began_ns, clock_ns());
}

int main(int argc, char **argv)
{
	char byte;

	prctl(PR_SET_NAME, "waiter");
	if (read(STDIN_FILENO, &byte, 1) < 0)
		return 1;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (argc == 2 && !strcmp(ways[i].name, argv[1])) {
			run(&ways[i]);
			return 0;
		}
	}
	return 2;
}
