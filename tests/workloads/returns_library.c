// SPDX-License-Identifier: GPL-2.0-only
/* Two libraries for returns.c, by RETURNS_SECOND or not. */
#include <stdint.h>
#include <time.h>
#include <unistd.h>

void first_leaf(void);
void first_sleep(unsigned int us);

#ifndef RETURNS_SECOND

volatile unsigned int first_calls;

void first_leaf(void)
{
	first_calls++;
}

void first_sleep(unsigned int us)
{
	usleep(us);
	__asm__ volatile("");
}

static uint64_t thread_time_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void first_spin(unsigned int us);
void first_spin(unsigned int us)
{
	uint64_t begin_us = thread_time_us();

	while (thread_time_us() - begin_us < us)
		;
}

void first_call(void (*function)(void *), void *argument);
void first_call(void (*function)(void *), void *argument)
{
	function(argument);
	__asm__ volatile("");
}

#else

void second_sleep(unsigned int us);
void second_sleep(unsigned int us)
{
	first_sleep(us);
	__asm__ volatile("");
}

void second_many(unsigned int count);
void second_many(unsigned int count)
{
	while (count--)
		first_leaf();
}

void second_jump(unsigned int us);
__asm__(".globl second_jump\n"
	".type second_jump, @function\n"
	"second_jump:\n"
	"	jmp first_sleep@plt\n"
	".size second_jump, . - second_jump\n");

#endif
