/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel side of library calls wants to be attended to at once. */
#ifndef SCALER_PROBE_LIBRARY_ALERTS_H
#define SCALER_PROBE_LIBRARY_ALERTS_H

#include "probe/library_kernel.h"

struct library_alerts {
	struct ring_buffer *rings; /* owned */
};

/* Returns 0 or a negative errno; the caller closes them in both cases. */
int library_alerts_open(struct library_alerts *alerts, const struct library_kernel *kernel);

/* Becomes readable with the next; it stays theirs. */
int library_alerts_fd(const struct library_alerts *alerts);

/*
 * Takes those that are there. That a function costs too much, its row tells; for this the caller looks there. Returns 0 or a negative errno.
 */
int library_alerts_take(struct library_alerts *alerts);

void library_alerts_close(struct library_alerts *alerts);

#endif
