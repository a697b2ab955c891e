// SPDX-License-Identifier: GPL-2.0-only
/* Makes files under another name, and gives them their own. */
#include "base/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIFO_PERIOD_MS 50 /* between two looks for a reader */

/* Whether none but root and we may put something into the file's folder. */
static bool is_folder_ours(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";
	struct stat status;

	if (slash && snprintf(folder, sizeof(folder), "%.*s", slash == path ? 1 : (int)(slash - path),
			      path) >= (int)sizeof(folder))
		return false;
	return !stat(folder, &status) && (!status.st_uid || status.st_uid == geteuid()) &&
	       !(status.st_mode & (S_IWGRP | S_IWOTH));
}

static int make_new(const char *path)
{
	char fresh[PATH_MAX];
	int fd, err;

	if (snprintf(fresh, sizeof(fresh), "%s.XXXXXX", path) >= (int)sizeof(fresh))
		return -ENAMETOOLONG;
	fd = mkostemp(fresh, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (!rename(fresh, path))
		return fd;
	err = -errno;
	unlink(fresh);
	close(fd);
	return err;
}

/* -ECANCELED: the signal came first. */
static int await_signal(int signal_fd)
{
	struct pollfd signal = { .fd = signal_fd, .events = POLLIN };

	return poll(&signal, 1, FIFO_PERIOD_MS) > 0 ? -ECANCELED : 0;
}

static int open_there(const char *path, int flags, int signal_fd)
{
	int fd, err = 0;

	/* A FIFO that nobody reads: ENXIO. */
	while ((fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags, 0600)) < 0 &&
	       errno == ENXIO && !err)
		err = await_signal(signal_fd);
	return fd >= 0 ? fd : err ?: -errno;
}

/* A file that is ours and has no other name; -ESTALE: it is none. */
static int open_ours(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	    status.st_nlink == 1 && !ftruncate(fd, 0))
		return fd;
	close(fd);
	return -ESTALE;
}

int own_file_create(const char *path, int signal_fd)
{
	struct stat status;
	bool is_there = !lstat(path, &status);
	int fd;

	if (!is_there)
		return errno == ENOENT ? make_new(path) : -errno;
	if (S_ISLNK(status.st_mode))
		return is_folder_ours(path) ? open_there(path, O_CREAT, signal_fd) : -ELOOP;
	if (!S_ISREG(status.st_mode))
		return open_there(path, O_NOFOLLOW, signal_fd);
	fd = open_ours(path);
	return fd >= 0 ? fd : make_new(path);
}

const char *own_file_problem(int err)
{
	if (err == -ELOOP)
		return "it is a link, and others may write to its folder; name the file itself";
	return err == -ECANCELED ? "nobody reads it, and a signal has come" : strerror(-err);
}
