// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two libraries for edges.c, by EDGES_SECOND or not: functions that call one another, within a library and across,
 * two versions of one symbol, and functions whose first instruction no kernel probes.
 */
#ifndef EDGES_SECOND

volatile unsigned int first_calls;

__attribute__((noinline)) void first_leaf(void)
{
	first_calls++;
}

/* Through the linkage table, but within the library; not a tail call, which would return to the caller. */
void first_inner(void)
{
	first_leaf();
	__asm__ volatile("");
}

void first_old(void);
void first_old(void)
{
	first_calls++;
}

void first_new(void);
void first_new(void)
{
	first_calls++;
}

__asm__(".symver first_old, first_versioned@EDGES_1\n"
	".symver first_new, first_versioned@@EDGES_2\n");

void first_locked(void);
__asm__(".globl first_locked\n"
	".type first_locked, @function\n"
	"first_locked:\n"
	"	lock orl $0, -8(%rsp)\n"
	"	ret\n"
	".size first_locked, . - first_locked\n");

/* Not to be called. */
void first_halting(void);
__asm__(".globl first_halting\n"
	".type first_halting, @function\n"
	"first_halting:\n"
	"	hlt\n"
	".size first_halting, . - first_halting\n");

#else

void first_leaf(void);
void first_inner(void);
void first_versioned(void);

void second_outer(void)
{
	first_leaf();
	first_inner();
	first_inner();
	first_versioned();
	__asm__ volatile("");
}

#endif
