// SPDX-License-Identifier: GPL-2.0-only
/*
 * forks COUNT ROUNDS: runs itself so many times, one after the other, and each time has much memory, sleeps for a
 * moment, forks at once, and passes a byte to its child and back so many times.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY (32 << 20)

static void expect_ok(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

/* Takes a byte from the one and writes it to the other. */
static void pass(int from, int to)
{
	char byte;

	expect_ok(read(from, &byte, 1) == 1, "read");
	expect_ok(write(to, &byte, 1) == 1, "write");
}

static int fork_once(int rounds)
{
	char *memory = malloc(MEMORY);
	int there[2], back[2], status = 0;
	pid_t child;

	expect_ok(memory && !pipe(there) && !pipe(back), "pipe");
	memset(memory, 1, MEMORY);
	usleep(1);
	child = fork();
	expect_ok(child >= 0, "fork");
	if (child)
		expect_ok(write(there[1], "", 1) == 1, "write");
	for (int i = 0; i < rounds; i++)
		pass(child ? back[0] : there[0], child ? there[1] : back[1]);
	free(memory);
	if (child)
		expect_ok(waitpid(child, &status, 0) == child, "waitpid");
	return status;
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[1]) : 0, status = 0;

	if (argc == 3 && !count)
		return fork_once(atoi(argv[2]));
	for (int i = 0; i < count && !status; i++) {
		pid_t child = fork();

		expect_ok(child >= 0, "fork");
		if (!child) {
			execl("/proc/self/exe", argv[0], "0", argv[2], (char *)NULL);
			_exit(1);
		}
		expect_ok(waitpid(child, &status, 0) == child, "waitpid");
	}
	return count && !status ? 0 : 2;
}
