// SPDX-License-Identifier: GPL-2.0-only
/*
 * follows STEP...: goes through its steps one by one, to come by known library calls in the ways by which programs do.
 *
 *   load PATH    loads libedges_second.so; its functions are nobody's imports but the next library's
 *   unload       closes it again
 *   outer N      calls its second_outer() N times
 *   pause        sleeps for half a second, or SCALER_SLOWNESS times that
 *   fork         the child goes on, its parent waits for it
 *   borrow N     a child that has its parent's memory, and never another, pauses and calls second_outer() N times
 *   spawn N      so many children one after the other, which do nothing
 *   exec PATH    executes a program with the steps that are left
 *   vfork PATH, posix_spawn PATH
 *                so does a child that is made by this call, its parent waits for it
 *
 * Prints its number and N for each "outer".
 */
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAUSE_US 500000

static void *library;
static long pause_us;

/* Whether a child could not be made, or failed. */
static int wait_for(pid_t child)
{
	int status;

	return child < 0 || waitpid(child, &status, 0) < 0 || status;
}

static int take_load(char **step)
{
	library = dlopen(step[1], RTLD_NOW);
	if (!library)
		fprintf(stderr, "%s\n", dlerror());
	return library ? 0 : 1;
}

static int take_unload(char **step)
{
	(void)step;
	return dlclose(library);
}

static int take_outer(char **step)
{
	void (*outer)(void) = (void (*)(void))dlsym(library, "second_outer");
	long times = strtol(step[1], NULL, 10);

	for (long i = 0; i < times; i++)
		outer();
	printf("%d %ld\n", getpid(), times);
	fflush(stdout);
	return 0;
}

static int take_pause(char **step)
{
	(void)step;
	return usleep(pause_us);
}

/* Only the child returns. */
static int take_fork(char **step)
{
	pid_t child = fork();

	(void)step;
	if (!child)
		return 0;
	exit(wait_for(child));
}

static int take_spawn(char **step)
{
	for (long i = strtol(step[1], NULL, 10); i > 0; i--) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		if (wait_for(child))
			return 1;
	}
	return 0;
}

static int pause_and_call(void *step)
{
	usleep(pause_us);
	_exit(take_outer(step));
}

static int take_borrow(char **step)
{
	static char stack[1 << 18] __attribute__((aligned(16)));

	return wait_for(clone(pause_and_call, stack + sizeof(stack), CLONE_VM | SIGCHLD, step));
}

static int take_exec(char **step)
{
	execv(step[1], step + 1);
	return 1;
}

static int take_vfork(char **step)
{
	pid_t child = vfork();

	if (!child) {
		execv(step[1], step + 1);
		_exit(1);
	}
	exit(wait_for(child));
}

static int take_posix_spawn(char **step)
{
	pid_t child;

	exit(posix_spawn(&child, step[1], NULL, NULL, step + 1, environ) || wait_for(child));
}

static int go_through(char **steps)
{
	static const struct {
		const char *name;
		int words;
		int (*take)(char **step);
	} known[] = {
		{ "load", 2, take_load },   { "unload", 1, take_unload },
		{ "outer", 2, take_outer }, { "pause", 1, take_pause },
		{ "fork", 1, take_fork },   { "borrow", 2, take_borrow },
		{ "spawn", 2, take_spawn }, { "exec", 2, take_exec },
		{ "vfork", 2, take_vfork }, { "posix_spawn", 2, take_posix_spawn },
	};

	while (*steps) {
		size_t i = 0;

		while (i < sizeof(known) / sizeof(*known) && strcmp(*steps, known[i].name))
			i++;
		if (i == sizeof(known) / sizeof(*known) || (known[i].words == 2 && !steps[1]))
			return 2;
		if (known[i].take(steps))
			return 1;
		steps += known[i].words;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *slowness = getenv("SCALER_SLOWNESS");

	(void)argc;
	pause_us = PAUSE_US * (slowness ? strtol(slowness, NULL, 10) : 1);
	return go_through(argv + 1);
}
