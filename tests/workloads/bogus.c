// SPDX-License-Identifier: GPL-2.0-only
/*
 * bogus COUNT: sleeps so many times for 1 us in a function whose call frame information is wrong: it says that the caller
 * is where no code is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

long bogus_sleep(const struct timespec *pause, struct timespec *left);

__asm__(".text\n"
	".globl bogus_sleep\n"
	".type bogus_sleep, @function\n"
	"bogus_sleep:\n"
	".cfi_startproc\n"
	"	pushq $0x1234\n"  /* below what .cfi_adjust_cfa_offset would tell of */
	"	movl $35, %eax\n" /* nanosleep */
	"	syscall\n"
	"	addq $8, %rsp\n"
	"	ret\n"
	".cfi_endproc\n"
	".size bogus_sleep, . - bogus_sleep\n");

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 1000 };
	int count = argc == 2 ? atoi(argv[1]) : 0;

	for (int i = 0; i < count; i++) {
		if (bogus_sleep(&pause, NULL)) {
			fputs("bogus: the sleep was cut short\n", stderr);
			return 1;
		}
	}
	return count ? 0 : 2;
}
