// SPDX-License-Identifier: GPL-2.0-only
/*
 * hidden: blocks in functions of libc that go on to others in their place, which stacks show alone: sem_wait() and
 * pthread_join(), each for 100 ms; and sends a byte through a pipe by write() and read(), by their addresses.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

#define PAUSE_US 100000

static sem_t go;

static void *run(void *argument)
{
	usleep(PAUSE_US);
	sem_post(&go);
	usleep(PAUSE_US);
	return argument;
}

typedef ssize_t read_bytes(int file, void *bytes, size_t size);
typedef ssize_t write_bytes(int file, const void *bytes, size_t size);

int main(void)
{
	read_bytes *volatile take = read;
	write_bytes *volatile give = write;
	pthread_t thread;
	char byte = 'x';
	int ends[2];

	if (pipe(ends) || sem_init(&go, 0, 0) || pthread_create(&thread, NULL, run, NULL) || sem_wait(&go) ||
	    pthread_join(thread, NULL))
		return 1;
	return give(ends[1], &byte, 1) != 1 || take(ends[0], &byte, 1) != 1;
}
