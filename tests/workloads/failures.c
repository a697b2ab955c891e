// SPDX-License-Identifier: GPL-2.0-only
/* failures: system calls that fail in known ways and numbers, and ten sleeps of 20 ms. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	const struct timespec pause = { 0, 20000000 };

	for (int i = 0; i < 30; i++)
		syscall(SYS_getpgid, 1 << 30); /* ESRCH */
	for (int i = 0; i < 20; i++)
		syscall(SYS_dup3, -1, 5, 0); /* EBADF */
	for (int i = 0; i < 10; i++)
		syscall(SYS_dup3, 1, 1, 0); /* EINVAL */
	for (int i = 0; i < 7; i++)
		syscall(5000, 1); /* ENOSYS: no such call */
	for (int i = 0; i < 10; i++)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	return 0;
}
