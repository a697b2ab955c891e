// SPDX-License-Identifier: GPL-2.0-only
/*
 * vforks COUNT: outer() calls spawn() so many times, which calls vfork(); the child sleeps for 3 ms, for which its parent
 * waits. The C library keeps the return address of vfork() in a register, because both share one stack.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SLEEP_NS 3000000

__attribute__((noinline)) static void spawn(int size)
{
	const struct timespec time = { .tv_nsec = SLEEP_NS };
	volatile char *room = __builtin_alloca((size_t)size);
	int status;
	pid_t pid;

	room[0] = 1;
	pid = vfork();
	if (!pid) {
		nanosleep(&time, NULL);
		_exit(7);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7)
		abort();
}

__attribute__((noinline)) static void outer(int size)
{
	spawn(size);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < count; i++)
		outer(100 + i);
	return 0;
}
