// SPDX-License-Identifier: GPL-2.0-only
/*
 * follows STEP...: goes through its steps one by one, to come by known library calls in the ways by which programs do.
 *
 *   load PATH    loads libedges_second.so; its functions are nobody's imports but the next library's
 *   unload       closes it again
 *   outer N      calls its second_outer() N times
 *   pause        sleeps for half a second, or SCALER_SLOWNESS times that
 *   fork         the child goes on, its parent waits for it
 *   spawn N      so many children one after the other, which do nothing
 *   exec PATH    executes a program with the steps that are left
 *
 * Prints its number and N for each "outer".
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAUSE_US 500000

static void *library;

static int load(const char *path)
{
	library = dlopen(path, RTLD_NOW);
	if (!library)
		fprintf(stderr, "%s\n", dlerror());
	return library ? 0 : 1;
}

static int call_outer(long times)
{
	void (*outer)(void) = (void (*)(void))dlsym(library, "second_outer");

	for (long i = 0; i < times; i++)
		outer();
	printf("%d %ld\n", getpid(), times);
	fflush(stdout);
	return 0;
}

/* Only the child returns. */
static int fork_once(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		return 0;
	exit(child < 0 || waitpid(child, &status, 0) < 0 || status);
}

static int spawn(long count)
{
	for (long i = 0; i < count; i++) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		if (child < 0 || waitpid(child, NULL, 0) < 0)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *slowness = getenv("SCALER_SLOWNESS");
	long pause_us = PAUSE_US * (slowness ? strtol(slowness, NULL, 10) : 1);
	int failed = 0;

	for (int i = 1; i < argc && !failed; i++) {
		const char *next = i + 1 < argc ? argv[i + 1] : "";

		if (!strcmp(argv[i], "pause")) {
			usleep(pause_us);
		} else if (!strcmp(argv[i], "fork")) {
			failed = fork_once();
		} else if (!strcmp(argv[i], "unload")) {
			failed = dlclose(library);
		} else if (!strcmp(argv[i], "load")) {
			failed = load(next);
			i++;
		} else if (!strcmp(argv[i], "outer")) {
			failed = call_outer(strtol(next, NULL, 10));
			i++;
		} else if (!strcmp(argv[i], "spawn")) {
			failed = spawn(strtol(next, NULL, 10));
			i++;
		} else if (!strcmp(argv[i], "exec")) {
			execv(next, argv + i + 1);
			failed = 1;
		} else {
			failed = 2;
		}
	}
	return failed;
}
