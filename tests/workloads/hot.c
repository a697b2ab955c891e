// SPDX-License-Identifier: GPL-2.0-only
/*
 * hot COUNT TURNS [wait]: calls first_leaf() COUNT times, while another thread calls second_outer() TURNS times, with a
 * pause of 5 ms after each; with wait, reads a byte before. Prints "done".
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void first_leaf(void);
void second_outer(void);

static void *take_turns(void *turns)
{
	for (unsigned long left = *(unsigned long *)turns; left; left--) {
		second_outer();
		usleep(5000);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long turns = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	pthread_t thread;

	if (argc > 3 && !strcmp(argv[3], "wait"))
		getchar();
	if (pthread_create(&thread, NULL, take_turns, &turns))
		return 1;
	while (count--)
		first_leaf();
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
