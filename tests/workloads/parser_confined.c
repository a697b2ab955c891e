// SPDX-License-Identifier: GPL-2.0-only
/*
 * parser_confined WAY: a process as the tracer's parser is, that tries one thing: "read" a file that was open before, "grow" its
 * memory by 64 MiB, and others, which end it. What it may do it tells by its status, 0, and what is refused by 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "parser/confine.h"

static int file;

static bool can_read(void)
{
	char bytes[100];

	return pread(file, bytes, sizeof(bytes), 0) == sizeof(bytes);
}

static bool can_grow(void)
{
	char *bytes = malloc(64 << 20);

	if (bytes)
		memset(bytes, 1, 64 << 20);
	return bytes;
}

static bool can_grow_on(void)
{
	for (size_t size = 0; size < 2 * CONFINE_MEMORY_BYTES; size += 64 << 20) {
		if (!malloc(64 << 20))
			return false;
	}
	return true;
}

static bool can_open(void)
{
	return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool can_connect(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool can_trace(void)
{
	return !ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

static bool can_execute(void)
{
	char *const words[] = { (char[]){ "/bin/true" }, NULL };

	return !execv(words[0], words);
}

static bool can_fork(void)
{
	return fork() >= 0;
}

static bool can_kill(void)
{
	return !kill(getppid(), SIGTERM);
}

static bool can_write(void)
{
	return write(STDOUT_FILENO, "x", 1) == 1;
}

static bool can_map_file(void)
{
	return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) != MAP_FAILED;
}

static bool can_make_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	       MAP_FAILED;
}

static bool can_load_program(void)
{
	return syscall(SYS_bpf, 0, NULL, 0) >= 0;
}

static const struct {
	const char *name;
	bool (*can)(void);
} ways[] = {
	{ "read", can_read },
	{ "grow", can_grow },
	{ "grow_on", can_grow_on },
	{ "open", can_open },
	{ "connect", can_connect },
	{ "trace", can_trace },
	{ "execute", can_execute },
	{ "fork", can_fork },
	{ "kill", can_kill },
	{ "write", can_write },
	{ "map_file", can_map_file },
	{ "make_code", can_make_code },
	{ "load_program", can_load_program },
};

int main(int argc, char **argv)
{
	file = open("/proc/self/exe", O_RDONLY);
	for (size_t i = 0; argc == 2 && i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(argv[1], ways[i].name))
			continue;
		if (confine())
			return 2;
		return !ways[i].can();
	}
	return 2;
}
