// SPDX-License-Identifier: GPL-2.0-only
/* Tells others that the tracer is ready, and that it ends. */
#include "control/announcement.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>

#include "base/log.h"
#include "base/own_file.h"

static int write_pidfile(struct announcement *announcement)
{
	int fd = own_file_create(announcement->pidfile, -1);
	struct stat status = { 0 };
	bool failed = fd < 0 || dprintf(fd, "%d\n", getpid()) < 0 || fstat(fd, &status);

	if (failed)
		log_error("cannot write --pidfile '%s': %s", announcement->pidfile,
			  own_file_problem(fd < 0 ? fd : -errno));
	if (fd >= 0)
		close(fd);
	announcement->device = status.st_dev;
	announcement->inode = status.st_ino;
	return failed ? -1 : 0;
}

int announcement_make(struct announcement *announcement)
{
	int fd = announcement->ready_fd, err;

	if (announcement->pidfile && write_pidfile(announcement))
		return -1;
	if (fd >= 0 && write(fd, "", 1) != 1)
		log_note("cannot write to --ready-fd %d: %s", fd, strerror(errno));
	err = sd_notify(0, "READY=1");
	if (err < 0)
		log_note("cannot tell systemd: %s", strerror(-err));
	return 0;
}

void announcement_withdraw(const struct announcement *announcement)
{
	struct stat status;

	sd_notify(0, "STOPPING=1");
	if (announcement->pidfile && announcement->inode && !lstat(announcement->pidfile, &status) &&
	    status.st_dev == announcement->device && status.st_ino == announcement->inode)
		unlink(announcement->pidfile);
}
