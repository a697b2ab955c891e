// SPDX-License-Identifier: GPL-2.0-only
/* How long who wakes lets others wait. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "waits.h"

static bool is_running(pid_t pid)
{
	char path[32], text[256];
	const char *state = NULL;
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		length = read(fd, text, sizeof(text) - 1);
		text[length > 0 ? length : 0] = '\0';
		state = strrchr(text, ')');
		close(fd);
	}
	return state && state[1] && state[2] == 'R';
}

void pause_for_waiter(pid_t pid)
{
	do {
		pause_for(pause_ns);
	} while (is_running(pid));
}
