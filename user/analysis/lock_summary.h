/* SPDX-License-Identifier: GPL-2.0-only */
/* What each futex was to the threads that waited on it: a mutex, a condition variable, a thread that is to end. */
#ifndef SCALER_ANALYSIS_LOCK_SUMMARY_H
#define SCALER_ANALYSIS_LOCK_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/blocking_report.h"
#include "analysis/convoy.h"
#include "analysis/wait_summary.h"

/*
 * Threads of one name in one process that ended waits, and what was waited for them. Who wakes one that waits for a lock has
 * let go of it: it is who had the lock since the wakeup before, by which another had let go of it. So all waiting between
 * two wakeups counts for the one that made the second; whom it woke, a bystander in the queue until then, has but the time
 * until it wakes the next one.
 */
struct lock_waker {
	const struct scaler_task_names *names; /* the profile's; the tid is one of them */
	size_t count;                          /* of waits that it ended */
	uint64_t waiting_ns;                   /* for it, of all that waited */
};

/* A futex: an address in one process, or a place in a file that several share. */
struct lock_row {
	struct resource resource;              /* without owner and timeout */
	const struct scaler_task_names *names; /* of a thread that waited; the profile's */
	size_t process_count;                  /* that waited, as are the next */
	size_t thread_count;
	size_t idle_count; /* so many of them all the time: of those there are no other figures */
	struct wait_figures figures;
	uint64_t max_ns; /* of blocked_ns */
	struct convoy convoy;
	struct call_path path; /* in which most waits were, those all the time included */
	const struct scaler_thread
		*holder;    /* who is waited for as the recording ends; NULL: not known, or nobody */
	size_t first_waker; /* in wakers; who was waited for the longest first */
	size_t waker_count;
	size_t timeouts; /* waits that a timer ended */
};

struct lock_summary {
	struct lock_row *rows; /* owned; sorted; by default by blocked_ns */
	size_t row_count;
	size_t row_capacity;
	struct lock_waker *wakers; /* owned */
	size_t waker_count;
	size_t waker_capacity;
};

/* The blocking report must outlive the summary. Returns 0 or -ENOMEM; the caller clears the summary in both cases. */
int lock_summary_make(const struct blocking_report *blocking, const struct scaler_window *window,
		      enum sort_key sort, struct lock_summary *summary);
void lock_summary_clear(struct lock_summary *summary);

#endif
