// SPDX-License-Identifier: GPL-2.0-only
/* A program of 32 bits, with no library at all: 100 getppid system calls in make_calls(), then a sleep of 20 ms. */
#include <asm/unistd_32.h>

static long call(long number, const void *first)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(0), "d"(0) : "memory");
	return result;
}

__attribute__((noinline)) static void make_calls(void)
{
	for (int i = 0; i < 100; i++)
		call(__NR_getppid, 0);
}

void _start(void)
{
	const struct {
		long seconds, nanoseconds;
	} pause = { 0, 20000000 };

	make_calls();
	call(__NR_nanosleep, &pause);
	call(__NR_exit, 0);
}
