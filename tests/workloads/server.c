// SPDX-License-Identifier: GPL-2.0-only
/*
 * server CLIENTS REQUESTS: a small server and, as a child process, its clients. Each client is a thread with a
 * connection of its own, over which it makes that many requests and thinks for a millisecond after each tenth.
 * The server has a thread for each connection: for each request it reads it, computes an answer, enters it in
 * a journal that all share under one lock, and replies; each tenth entry of the journal is forced to disk with
 * the lock held, so that the others queue up. Prints the number of entries.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS_MAX 256
#define ROUNDS      20000 /* of computing for one answer: some ten microseconds */

struct message {
	uint64_t number;
	uint64_t answer;
	char text[48];
};

static struct {
	pthread_mutex_t lock;
	FILE *file;
	long entries;
} journal = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int listener;
static struct sockaddr_in address = { .sin_family = AF_INET };
static long requests;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t compute(uint64_t number)
{
	for (int round = 0; round < ROUNDS; round++)
		number = number * 6364136223846793005ULL + 1442695040888963407ULL;
	return number;
}

static void enter_in_journal(const struct message *message)
{
	pthread_mutex_lock(&journal.lock);
	fprintf(journal.file, "%llu %llu\n", (unsigned long long)message->number,
		(unsigned long long)message->answer);
	fflush(journal.file);
	if (++journal.entries % 10 == 0 && fdatasync(fileno(journal.file)))
		fail("fdatasync");
	pthread_mutex_unlock(&journal.lock);
}

static void *serve(void *name)
{
	int connection = accept(listener, NULL, NULL);
	struct message message;

	pthread_setname_np(pthread_self(), name);
	if (connection < 0)
		fail("accept");
	while (recv(connection, &message, sizeof(message), MSG_WAITALL) == sizeof(message)) {
		message.answer = compute(message.number);
		enter_in_journal(&message);
		if (send(connection, &message, sizeof(message), 0) != sizeof(message))
			fail("send");
	}
	close(connection);
	return NULL;
}

static void *request(void *name)
{
	const struct timespec think = { 0, 1000000 };
	int connection = socket(AF_INET, SOCK_STREAM, 0);
	struct message message = { .text = "a request" };

	pthread_setname_np(pthread_self(), name);
	if (connect(connection, (struct sockaddr *)&address, sizeof(address)))
		fail("connect");
	for (long i = 0; i < requests; i++) {
		message.number = (uint64_t)i;
		if (send(connection, &message, sizeof(message), 0) != sizeof(message) ||
		    recv(connection, &message, sizeof(message), MSG_WAITALL) != sizeof(message))
			fail("request");
		if (i % 10 == 9)
			nanosleep(&think, NULL);
	}
	close(connection);
	return NULL;
}

/* Runs the function in so many threads, named by the word and a number, and waits for them all. */
static void run_threads(const char *word, long count, void *(*run)(void *))
{
	static char names[CLIENTS_MAX][32];
	pthread_t threads[CLIENTS_MAX];

	for (long i = 0; i < count; i++) {
		snprintf(names[i], sizeof(names[i]), "%s-%ld", word, i + 1);
		if (pthread_create(&threads[i], NULL, run, names[i]))
			fail("pthread_create");
	}
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	socklen_t length = sizeof(address);
	int status;
	long clients;

	if (argc != 3 || (clients = atol(argv[1])) < 1 || clients > CLIENTS_MAX)
		return 2;
	requests = atol(argv[2]);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	journal.file = tmpfile();
	if (!journal.file || bind(listener, (struct sockaddr *)&address, sizeof(address)) ||
	    getsockname(listener, (struct sockaddr *)&address, &length) || listen(listener, CLIENTS_MAX))
		fail("listen");
	switch (fork()) {
	case -1:
		fail("fork");
		break;
	case 0:
		run_threads("client", clients, request);
		exit(0);
	}
	run_threads("worker", clients, serve);
	wait(&status);
	printf("%ld entries\n", journal.entries);
	return status != 0;
}
