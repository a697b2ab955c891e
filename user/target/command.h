/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program of "-- COMMAND": forked at once, so that it can be traced from its first instruction,
 * and held before its execve until it is released.
 */
#ifndef SCALER_TARGET_COMMAND_H
#define SCALER_TARGET_COMMAND_H

#include <limits.h>
#include <signal.h>
#include <sys/types.h>

struct command {
	pid_t pid;
	int release_fd; /* a byte lets the child go on; end of file (we are gone) makes it exit */
	int error_fd;   /* the child's errno if its execve failed */
};

/*
 * Finds a program in PATH as a shell does. Returns 0, -ENOENT if there is none, -EACCES if it may not be executed, or
 * another negative errno.
 */
int command_find(const char *name, char path[PATH_MAX]);

/* Finds argv[0] and forks. The child's signal mask will be *mask. Returns as command_find() does. */
int command_fork(struct command *command, char *const argv[], const sigset_t *mask);

/* Lets the child execute its program. Returns 0, or the negative errno with which execve failed. */
int command_release(struct command *command);

/* Waits for its end. Returns its status as a shell has it: the exit code, or 128 + the signal. */
int command_wait(struct command *command);

#endif
