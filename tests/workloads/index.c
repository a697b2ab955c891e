// SPDX-License-Identifier: GPL-2.0-only
/*
 * index GETTERS SAVES FILE: threads that look things up in an index under a lock, and one, the saver, that writes the index
 * to the file as often as said, each time with the lock held until the disk has it. So what all getters wait for is the
 * disk, by way of the saver.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define PAGE_BYTES (1 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char page[PAGE_BYTES];
static atomic_bool is_over;

static void pause_ns(long ns)
{
	const struct timespec pause = { 0, ns };

	nanosleep(&pause, NULL);
}

__attribute__((noipa)) static int find(unsigned int key)
{
	int found;

	pthread_mutex_lock(&lock);
	found = page[key % PAGE_BYTES];
	pthread_mutex_unlock(&lock);
	return found;
}

__attribute__((noipa)) static int save_page(int fd)
{
	int err;

	pthread_mutex_lock(&lock);
	err = pwrite(fd, page, sizeof(page), 0) != sizeof(page) || fdatasync(fd);
	pthread_mutex_unlock(&lock);
	return err;
}

static void *run_getter(void *number)
{
	char name[32];

	snprintf(name, sizeof(name), "get-%d", *(int *)number);
	prctl(PR_SET_NAME, name);
	for (unsigned int key = 0; !is_over; key += 4099) {
		find(key);
		pause_ns(1000000);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int getters = argc == 4 ? atoi(argv[1]) : 0, saves = argc == 4 ? atoi(argv[2]) : 0;
	int fd = argc == 4 ? open(argv[3], O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1, *numbers, err = 0;
	pthread_t *threads;

	if (fd < 0 || getters < 1)
		return 2;
	threads = calloc((size_t)getters, sizeof(*threads));
	numbers = calloc((size_t)getters, sizeof(*numbers));
	if (!threads || !numbers)
		return 2;
	for (int i = 0; i < getters; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, run_getter, &numbers[i]))
			return 1;
	}
	prctl(PR_SET_NAME, "saver");
	for (int i = 0; i < saves && !err; i++) {
		err = save_page(fd);
		pause_ns(1000000);
	}
	is_over = true;
	for (int i = 0; i < getters; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	free(numbers);
	return err;
}
