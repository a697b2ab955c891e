// SPDX-License-Identifier: GPL-2.0-only
/*
 * frameless WAY COUNT: COUNT times calls, from a function with a frame pointer, one without a frame description: straight,
 * or by a pointer, which nothing tells from the caller's own call. Built with frame pointers.
 */
#include <stdlib.h>
#include <string.h>

void frameless_asks(void);
void frameless_runs(void);
void frameless_keeps(void);

#define NOINLINE __attribute__((noinline))

static NOINLINE void wanted(int way)
{
	void (*volatile keeps)(void) = frameless_keeps;

	if (way == 'o')
		keeps();
	else
		frameless_asks();
	if (way == 'r')
		frameless_runs();
	__asm__ volatile("");
}

static NOINLINE void straight(int way)
{
	wanted(way);
	__asm__ volatile("");
}

static NOINLINE void pointed(int way)
{
	void (*volatile call)(int) = wanted;

	call(way);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "straight";

	for (int i = argc > 2 ? atoi(argv[2]) : 1; i; i--) {
		if (!strcmp(way, "pointed"))
			pointed('p');
		else
			straight(*way);
	}
	return 0;
}
