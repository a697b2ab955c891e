// SPDX-License-Identifier: GPL-2.0-only
/*
 * edges THREADS [wait | COUNT]: library calls whose numbers are known by construction. Each thread calls, 1 to 10 times:
 * second_outer() once, first_leaf() three times, each version of first_versioned() and first_locked() once, and
 * strlen() and memcpy(), which are indirect functions, twice each. first_inner() is the second library's to call.
 * Prints each thread's number and how often it did so; with wait, prints a line, reads one, and only then begins; with a
 * count calls first_leaf() that often before.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void first_leaf(void);
void first_versioned(void);
void first_former(void);
void first_locked(void);
void first_halting(void);
void second_outer(void);

__asm__(".symver first_former, first_versioned@EDGES_1");

/* So that it is imported. */
void (*volatile never_called)(void) = first_halting;

static void *run(void *index)
{
	size_t rounds = (size_t)index % 10 + 1;
	char text[16] = "text";

	for (size_t i = 0; i < rounds; i++) {
		second_outer();
		for (int j = 0; j < 3; j++)
			first_leaf();
		first_versioned();
		first_former();
		first_locked();
		for (int j = 0; j < 2; j++)
			memcpy(text + 8, text, strlen(text) + 1);
	}
	printf("%d %zu\n", gettid(), rounds);
	return NULL;
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	pthread_t *threads = calloc(count, sizeof(*threads));

	if (!threads)
		return 1;
	for (unsigned long i = argc > 2 ? strtoul(argv[2], NULL, 10) : 0; i; i--)
		first_leaf();
	if (argc > 2 && !strcmp(argv[2], "wait")) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	for (size_t i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			return 1;
	}
	for (size_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
