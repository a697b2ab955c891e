/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work that may have to wait for others without end: for a server that does not answer, a file of a machine that is gone,
 * a FIFO that nobody writes to. It is done in a thread, which is left to itself when it no longer goes on.
 */
#ifndef SCALER_BASE_PATIENCE_H
#define SCALER_BASE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Work that is being done. */
struct patient_work;

struct patience {
	void (*work)(struct patient_work *work, void *context); /* in a thread of its own */
	void (*drop)(void *context);                            /* frees the context of work that was left */
	const char *
		what; /* after a second a person at the terminal reads that this is waited for; NULL: nothing */
	uint64_t
		silence_ns; /* it no longer goes on if it has taken no CPU time, or told no progress, for so long */
	uint64_t limit_ns; /* for how long it may tell of progress */
	int signal_fd;     /* -1: none; once it can be read the waiting ends within a second */
};

/*
 * Does the work. Returns 0: it is done; -ETIMEDOUT, -ECANCELED: it was given up, for want of an answer or because of a
 * signal, and was done all the same soon after; -EINPROGRESS: it was left, with the context; or another negative errno, and
 * nothing was done.
 */
int patience_run(const struct patience *patience, void *context);

/* For the work itself: it waits for somebody who has given it so much by now. Returns whether it is to give up. */
bool patient_work_tell(struct patient_work *work, uint64_t progress);

#endif
