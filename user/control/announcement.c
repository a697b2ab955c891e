// SPDX-License-Identifier: GPL-2.0-only
/* Tells others that the tracer is ready, and that it ends. */
#include "control/announcement.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>

#include "base/log.h"

static int write_pidfile(const char *path)
{
	FILE *file = fopen(path, "we");
	int failed = !file || fprintf(file, "%d\n", getpid()) < 0;

	if (file && fclose(file))
		failed = 1;
	if (failed)
		log_error("cannot write --pidfile '%s': %s", path, strerror(errno));
	return failed ? -1 : 0;
}

int announcement_make(const struct announcement *announcement)
{
	int fd = announcement->ready_fd, err;

	if (announcement->pidfile && write_pidfile(announcement->pidfile))
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
	FILE *file = announcement->pidfile ? fopen(announcement->pidfile, "re") : NULL;
	int pid = 0;

	sd_notify(0, "STOPPING=1");
	if (!file)
		return;
	if (fscanf(file, "%d", &pid) == 1 && pid == getpid())
		unlink(announcement->pidfile);
	fclose(file);
}
