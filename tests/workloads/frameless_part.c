// SPDX-License-Identifier: GPL-2.0-only
/* The part of frameless without frame descriptions; only the last function has a frame pointer. */
#include <unistd.h>

#define NOINLINE      __attribute__((noinline))
#define FRAME_POINTER __attribute__((noinline, optimize("no-omit-frame-pointer")))

static NOINLINE void ask(void)
{
	getppid();
	__asm__ volatile("");
}

void frameless_asks(void);
void frameless_runs(void);
void frameless_keeps(void);

void frameless_asks(void)
{
	ask();
	__asm__ volatile("");
}

static NOINLINE void run(void)
{
	for (volatile int i = 0; i < 1000000; i++)
		;
}

void frameless_runs(void)
{
	run();
	__asm__ volatile("");
}

void FRAME_POINTER frameless_keeps(void)
{
	getppid();
	__asm__ volatile("");
}
