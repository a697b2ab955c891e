// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's file system of tracepoints, mounted or not. */
#include "base/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mount.h>
#include <sys/syscall.h>

#define MOUNT_POINT "/sys/kernel/tracing"
#define NUMBER_SIZE 16

/* Not by the C library's functions: older ones have none of them. Returns a descriptor of the root, or -1. */
static int mount_detached(void)
{
	int fs = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC), root = -1;

	if (fs < 0)
		return -1;
	if (!syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		root = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY);
	close(fs);
	return root;
}

int tracefs_open(const char *path)
{
	int root = open(MOUNT_POINT, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int file = root < 0 ? -1 : openat(root, path, O_RDONLY | O_CLOEXEC);

	if (root >= 0)
		close(root);
	if (file >= 0)
		return file;
	root = mount_detached();
	if (root < 0)
		return -errno;
	file = openat(root, path, O_RDONLY | O_CLOEXEC);
	file = file < 0 ? -errno : file;
	close(root);
	return file;
}

int tracefs_event_number(const char *event)
{
	char *path, text[NUMBER_SIZE + 1] = "";
	ssize_t size = -1;
	int fd;

	if (asprintf(&path, "events/%s/id", event) < 0)
		return -ENOMEM;
	fd = tracefs_open(path);
	free(path);
	if (fd < 0)
		return fd;
	size = read(fd, text, NUMBER_SIZE);
	close(fd);
	return size > 0 && atoi(text) > 0 ? atoi(text) : -EIO;
}
