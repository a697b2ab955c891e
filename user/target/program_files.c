// SPDX-License-Identifier: GPL-2.0-only
/* The files of a program that is still to be run. */
#include "base/clock.h"
#include "target/program_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "target/command.h"
#include "target/foreign_file.h"

/* Of scripts that scripts interpret; the kernel's own limit is similar. */
#define SCRIPT_DEPTH 5

/* What a dynamic linker may take, and print. */
#define LIST_LIMIT_MS    5000
#define LIST_LIMIT_BYTES (1 << 20)

/* The interpreter that a script names. False: it is none. */
static bool read_interpreter(const char *path, char interpreter[PATH_MAX])
{
	int fd = foreign_file_open(AT_FDCWD, path, FOREIGN_ANYWHERE);
	char line[PATH_MAX] = "";
	ssize_t size;
	char *name;

	if (fd < 0)
		return false;
	size = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (size < 3 || strncmp(line, "#!", 2))
		return false;
	name = line + 2 + strspn(line + 2, " \t");
	name[strcspn(name, " \t\n")] = '\0';
	memcpy(interpreter, name, strlen(name) + 1);
	return *name;
}

char *program_files_parse(char *line)
{
	char *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : line + strspn(line, " \t");
	char *address = NULL;

	/* The address in parentheses comes last, and the path may have some too. */
	for (char *at = path; (at = strstr(at, " (0x")); at++)
		address = at;
	if (!address)
		return NULL;
	*address = '\0';
	/* The kernel's vdso has none. */
	return strchr(path, '/') ? path : NULL;
}

/* Reads up to the end, or as much and as long as is allowed. */
static void read_all(int fd, char *text)
{
	uint64_t end = clock_now_ns() / 1000000 + LIST_LIMIT_MS, now;
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	size_t size = 0;

	while (size < LIST_LIMIT_BYTES - 1 && (now = clock_now_ns() / 1000000) < end) {
		ssize_t got;

		if (poll(&poll_fd, 1, (int)(end - now)) <= 0)
			continue;
		got = read(fd, text + size, LIST_LIMIT_BYTES - 1 - size);
		if (got <= 0)
			break;
		size += (size_t)got;
	}
	text[size] = '\0';
}

/* Runs the dynamic linker for its list. What it prints beside that is nobody's business. */
static void list_libraries(char *linker, char *program, char *text)
{
	char option[] = "--list", *arguments[] = { linker, option, program, NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid = -1;
	int ends[2];

	*text = '\0';
	if (pipe2(ends, O_CLOEXEC))
		return;
	if (!posix_spawn_file_actions_init(&actions)) {
		posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
		posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
		if (posix_spawn(&pid, linker, &actions, NULL, arguments, environ))
			pid = -1;
		posix_spawn_file_actions_destroy(&actions);
	}
	close(ends[1]);
	if (pid > 0) {
		read_all(ends[0], text);
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close(ends[0]);
}

static int add_libraries(struct linked_files *files, char *linker, char *program)
{
	char *text = malloc(LIST_LIMIT_BYTES), *rest = text, *line;

	if (!text)
		return -ENOMEM;
	list_libraries(linker, program, text);
	/* A library that is missing the program's own start will tell of. */
	while ((line = strsep(&rest, "\n"))) {
		const char *path = program_files_parse(line);

		if (path)
			linked_files_add_path(files, path);
	}
	free(text);
	return 0;
}

int program_files_add(struct linked_files *files, const char *name)
{
	char path[PATH_MAX], next[PATH_MAX], *linker;
	int err = command_find(name, path);

	for (int depth = 0; !err && depth < SCRIPT_DEPTH && read_interpreter(path, next); depth++)
		memcpy(path, next, sizeof(path));
	if (!err)
		err = linked_files_add_path(files, path);
	if (err || !files->count)
		return err;
	linker = files->items[files->count - 1].linkage.interpreter;
	if (!linker)
		return 0;
	/* The files may move when some are added. */
	linker = strdup(linker);
	err = linker ? add_libraries(files, linker, path) : -ENOMEM;
	free(linker);
	return err;
}
