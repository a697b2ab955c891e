// SPDX-License-Identifier: GPL-2.0-only
/* The program of "-- COMMAND": forked, held before its execve, released, waited for. */
#include "target/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TASK_COMM_SIZE 16 /* as prctl(2) has it */

static int check_program(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return -errno;
	if (S_ISDIR(status.st_mode) || access(path, X_OK))
		return -EACCES;
	return 0;
}

/*
 * Searches PATH like execvp(), but before the fork: execvp()'s own failing tries would be system
 * calls of the traced program.
 */
int command_find(const char *name, char path[PATH_MAX])
{
	const char *directories = getenv("PATH"), *end;
	int err = -ENOENT;

	if (strchr(name, '/')) {
		if (snprintf(path, PATH_MAX, "%s", name) >= PATH_MAX)
			return -ENAMETOOLONG;
		return check_program(path);
	}
	if (!*name)
		return -ENOENT;
	for (const char *at = directories ? directories : "/usr/bin:/bin"; at; at = end ? end + 1 : NULL) {
		int length, tried;

		end = strchr(at, ':');
		length = end ? (int)(end - at) : (int)strlen(at);
		/* An empty entry is the current directory. */
		if (snprintf(path, PATH_MAX, "%.*s/%s", length ? length : 1, length ? at : ".", name) >=
		    PATH_MAX)
			continue;
		tried = check_program(path);
		if (!tried)
			return 0;
		if (tried == -EACCES)
			err = -EACCES;
	}
	return err;
}

static void __attribute__((noreturn))
run_child(const char *path, char *const argv[], const sigset_t *mask, int release_fd, int error_fd)
{
	char byte;
	int err;

	sigprocmask(SIG_SETMASK, mask, NULL);
	if (read(release_fd, &byte, 1) != 1)
		_exit(127);
	execv(path, argv);
	err = errno;
	if (write(error_fd, &err, sizeof(err)) != sizeof(err))
		_exit(127);
	_exit(err == ENOENT ? 127 : 126);
}

/* The child has the name of its program from the beginning on: else what it waits for in execve() would be the tracer's. */
static pid_t fork_named(const char *path)
{
	const char *slash = strrchr(path, '/');
	char own[TASK_COMM_SIZE] = "";
	pid_t pid;

	prctl(PR_GET_NAME, own);
	prctl(PR_SET_NAME, slash ? slash + 1 : path);
	pid = fork();
	if (pid)
		prctl(PR_SET_NAME, own);
	return pid;
}

int command_fork(struct command *command, char *const argv[], const sigset_t *mask)
{
	int release[2], error[2], err;
	char path[PATH_MAX];

	err = command_find(argv[0], path);
	if (err)
		return err;
	if (pipe2(release, O_CLOEXEC))
		return -errno;
	if (pipe2(error, O_CLOEXEC)) {
		err = -errno;
		goto close_release;
	}
	command->pid = fork_named(path);
	if (command->pid < 0) {
		err = -errno;
		goto close_error;
	}
	if (command->pid == 0) {
		/* Our end, or the child would never see that we are gone. */
		close(release[1]);
		run_child(path, argv, mask, release[0], error[1]);
	}
	close(release[0]);
	close(error[1]);
	command->release_fd = release[1];
	command->error_fd = error[0];
	return 0;

close_error:
	close(error[0]);
	close(error[1]);
close_release:
	close(release[0]);
	close(release[1]);
	return err;
}

int command_release(struct command *command)
{
	int err = 0;
	ssize_t got;

	if (write(command->release_fd, "", 1) != 1)
		err = -errno;
	close(command->release_fd);
	command->release_fd = -1;
	/* End of file without a byte: the execve has closed the other end, so it succeeded. */
	do {
		int code;

		got = read(command->error_fd, &code, sizeof(code));
		if (got == sizeof(code))
			err = -code;
	} while (got < 0 && errno == EINTR);
	close(command->error_fd);
	command->error_fd = -1;
	return err;
}

int command_wait(struct command *command)
{
	int status;

	while (waitpid(command->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
