// SPDX-License-Identifier: GPL-2.0-only
/* Reads the clock a thousand times, which the kernel's vdso does without a system call. */
#include <time.h>

int main(void)
{
	struct timespec now;

	for (int i = 0; i < 1000; i++)
		clock_gettime(CLOCK_MONOTONIC, &now);
	return 0;
}
