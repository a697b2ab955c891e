// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library whose functions make system calls with instructions of their own. Built twice, with other
 * names but the same layout, so that one can stand where the other was.
 */
#include <sys/syscall.h>

#define WORD(name)    name##_word
#define WORD_OF(name) WORD(name)

/* Exported: something to wait on. */
unsigned int WORD_OF(SITE_NAME) = 1;

static inline long issue(long number)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number) : "rcx", "r11", "memory");
	return result;
}

/* Not exported: a stripped library has no name for it. */
static __attribute__((noinline)) void hidden_call(void)
{
	issue(SYS_getuid);
	__asm__ volatile("");
}

__attribute__((noinline)) void SITE_NAME(int count)
{
	for (int i = 0; i < count; i++)
		issue(SYS_getppid);
	hidden_call();
}
