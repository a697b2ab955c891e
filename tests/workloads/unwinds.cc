// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwinds COUNT [wait]: so many exceptions thrown through qsort() and caught, so many threads cancelled in read(), which leave
 * objects behind; prints how many of both were destroyed. Between them, it allocates as often. With "wait", waits for a
 * byte first.
 */
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>

namespace
{

int empty_pipe[2], destroyed;

struct object {
	~object()
	{
		destroyed++;
	}
};

int throw_from(const void *, const void *)
{
	throw 1;
}

void sort()
{
	object left_behind;
	int numbers[] = { 2, 1 };

	qsort(numbers, 2, sizeof(*numbers), throw_from);
}

void *wait_in_read(void *argument)
{
	object left_behind;
	char byte;

	if (read(empty_pipe[0], &byte, 1) != 1)
		abort();
	return argument;
}

} // namespace

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t thread;

	if (argc > 2)
		getchar();
	if (pipe(empty_pipe))
		return 1;
	for (int i = 0; i < count; i++) {
		try {
			sort();
		} catch (int) {
		}
		void *volatile allocated = calloc(1, 100);
		free(allocated);
		if (pthread_create(&thread, nullptr, wait_in_read, nullptr))
			return 1;
		usleep(5000);
		pthread_cancel(thread);
		pthread_join(thread, nullptr);
	}
	printf("%d destroyed\n", destroyed);
	return 0;
}
