// SPDX-License-Identifier: GPL-2.0-only
/*
 * clients COUNT ROUNDS: the main thread, named "server", accepts so many connections to [::1] and then waits for all of
 * them by one epoll set. Threads named "client0" and so on send a byte in turn, 10 ms apart, each so many. Prints for
 * each client its name and its port. Waits for a byte of input first.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS_MAX 64

static struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
static long count, rounds;
static pthread_barrier_t ready;

static void pause_ms(long time_ms)
{
	const struct timespec pause = { time_ms / 1000, time_ms % 1000 * 1000000 };

	nanosleep(&pause, NULL);
}

static void *run_client(void *context)
{
	intptr_t number = (intptr_t)context;
	struct sockaddr_in6 own;
	socklen_t length = sizeof(own);
	int fd = socket(AF_INET6, SOCK_STREAM, 0);
	char name[16];

	snprintf(name, sizeof(name), "client%d", (int)number);
	prctl(PR_SET_NAME, name);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    getsockname(fd, (struct sockaddr *)&own, &length))
		exit(1);
	printf("%s %d\n", name, ntohs(own.sin6_port));
	pthread_barrier_wait(&ready);
	pause_ms(10 * (number + 1));
	for (long i = 0; i < rounds; i++) {
		if (write(fd, "", 1) != 1)
			exit(1);
		pause_ms(10 * count);
	}
	return NULL;
}

static void add_to_set(int set, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	if (fd < 0 || epoll_ctl(set, EPOLL_CTL_ADD, fd, &event))
		exit(1);
}

static void serve(int set)
{
	struct epoll_event event;
	char byte;

	for (long i = 0; i < count * rounds; i++) {
		if (epoll_wait(set, &event, 1, -1) != 1 || read(event.data.fd, &byte, 1) != 1)
			exit(1);
	}
}

int main(int argc, char **argv)
{
	int listener = socket(AF_INET6, SOCK_STREAM, 0), set = epoll_create1(0);
	socklen_t length = sizeof(address);
	pthread_t clients[CLIENTS_MAX];
	char byte;

	prctl(PR_SET_NAME, "server");
	if (argc != 3 || read(STDIN_FILENO, &byte, 1) < 0)
		return 2;
	count = atol(argv[1]);
	rounds = atol(argv[2]);
	if (count > CLIENTS_MAX || bind(listener, (struct sockaddr *)&address, length) ||
	    getsockname(listener, (struct sockaddr *)&address, &length) || listen(listener, CLIENTS_MAX) ||
	    pthread_barrier_init(&ready, NULL, (unsigned int)count + 1))
		return 1;
	for (intptr_t i = 0; i < count; i++) {
		if (pthread_create(&clients[i], NULL, run_client, (void *)i))
			return 1;
		add_to_set(set, accept(listener, NULL, NULL));
	}
	pthread_barrier_wait(&ready);
	serve(set);
	for (long i = 0; i < count; i++)
		pthread_join(clients[i], NULL);
	return 0;
}
