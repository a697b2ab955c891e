// SPDX-License-Identifier: GPL-2.0-only
/*
 * datagrams COUNT BYTES: a thread named "sender" sends so many datagrams of that size to a socket on 127.0.0.1, one
 * right after the other, and the main thread, named "waiter", waits for them one by one. Waits for a byte of input
 * first.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address = { .sin_family = AF_INET };
static long count, bytes;

static void *send_all(void *context)
{
	char *datagram = calloc(1, (size_t)bytes);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	prctl(PR_SET_NAME, "sender");
	for (long i = 0; datagram && i < count; i++) {
		if (sendto(fd, datagram, (size_t)bytes, 0, (struct sockaddr *)&address, sizeof(address)) < 0)
			exit(1);
	}
	free(datagram);
	return context;
}

int main(int argc, char **argv)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t length = sizeof(address);
	pthread_t sender;
	char byte;

	prctl(PR_SET_NAME, "waiter");
	if (argc != 3 || read(STDIN_FILENO, &byte, 1) < 0)
		return 2;
	count = atol(argv[1]);
	bytes = atol(argv[2]);
	/* To any address of the host. */
	if (bind(fd, (struct sockaddr *)&address, length) ||
	    getsockname(fd, (struct sockaddr *)&address, &length))
		return 1;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (pthread_create(&sender, NULL, send_all, NULL))
		return 1;
	for (long i = 0; i < count; i++) {
		if (recv(fd, &byte, 1, 0) != 1)
			return 1;
	}
	pthread_join(sender, NULL);
	return 0;
}
