/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells others that the tracer is ready: all probes are set, and it records or waits to be enabled. */
#ifndef SCALER_CONTROL_ANNOUNCEMENT_H
#define SCALER_CONTROL_ANNOUNCEMENT_H

#include <sys/types.h>

struct announcement {
	int ready_fd;        /* gets a byte; -1: none */
	const char *pidfile; /* gets our PID and a newline; NULL: none */
	dev_t device;        /* which file that is, once it is made, as is the next */
	ino_t inode;
};

/* Also tells systemd, if that has started us as a service of Type=notify. Returns 0, or -1 after an error message. */
int announcement_make(struct announcement *announcement);

/* The tracer ends: the file goes, if it is still ours. */
void announcement_withdraw(const struct announcement *announcement);

#endif
