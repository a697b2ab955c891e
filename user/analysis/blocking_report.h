/* SPDX-License-Identifier: GPL-2.0-only */
/* The blocking report: each blocking interval by its thread, with who called for it and what ended it. */
#ifndef SCALER_ANALYSIS_BLOCKING_REPORT_H
#define SCALER_ANALYSIS_BLOCKING_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/awaited_request.h"
#include "analysis/report_options.h"
#include "analysis/resources.h"
#include "analysis/wait_place.h"
#include "model/profile.h"
#include "model/softirq.h"

struct blocking_row {
	const struct scaler_blocking_interval *interval; /* the profile's */
	/* From the switch-out to the wakeup, and on to the switch-in, within the recording. */
	uint64_t blocked_ns;
	uint64_t delay_ns;
	uint64_t quota_ns;   /* of the delay: by its cgroup's quota of the CPUs; at least */
	bool is_lower_bound; /* blocked_ns is: it had begun before the recording, or was not over at its end */
	bool is_all_the_time; /* it was found asleep, and never woken */
	struct wait_place place;
	struct wait_place waker; /* of a task that is known to have woken it */
	size_t kernel; /* an index in places.items: the function in the kernel; PLACE_NONE: not looked for, or not known */
	struct resource resource; /* what it waited on */
	const char *interrupt; /* the name of that which the wakeup came from; NULL: not known, or a task's */
	size_t work; /* an index in places.items: what was done of a workqueue; PLACE_NONE: nothing, or not known */
	struct awaited_request request;
};

/* A thread that was blocked. */
struct blocking_thread {
	size_t first; /* of its rows, which stand in the order of time */
	size_t count;
	uint64_t blocked_ns;
	uint64_t delay_ns;
	bool is_idle; /* in one interval all the time */
};

struct blocking_report {
	struct blocking_row *rows; /* owned */
	size_t row_count;
	size_t left_out;                 /* so many rows, by the filter */
	struct blocking_thread *threads; /* owned; sorted; by default by the time that they were blocked */
	size_t thread_count;
	size_t idle_count; /* so many threads, which stand last, were in one interval all the time */
};

/*
 * Of a stream it has the rows that are printed, in the order in which they ended, and no threads. The profile must
 * outlive the report. Returns 0 or -ENOMEM; the caller clears the report in both cases.
 */
int blocking_report_make(struct profile *profile, const struct places *places,
			 const struct report_options *options, struct blocking_report *report);
void blocking_report_clear(struct blocking_report *report);

/* A thread's name, as it was when it blocked last. */
const struct scaler_task_names *blocking_thread_names(const struct blocking_report *report,
						      const struct blocking_thread *thread);

/* The order of threads by their processes and names: 0 of a process's threads of one name. */
int blocking_compare_names(const struct scaler_task_names *left, const struct scaler_task_names *right);

/* Whether it is known which task it was that woke, be it by a packet that it had sent, or work that it had queued. */
bool waker_is_known(const struct scaler_waker *waker);

/* What the CPU was at that the wakeup came from, or of work that was done when that was queued. */
enum scaler_waker_context waker_origin(const struct scaler_waker *waker);

/* The name of the interrupt that a wakeup came from; NULL: from none, or not known. Valid as long as the names. */
const char *waker_interrupt_name(const struct number_names *names, enum scaler_waker_context context,
				 uint32_t vector);

/* "task", "softirq", "hardirq", "nmi", "workqueue", "unknown", or NULL: the wakeup was missed. */
const char *waker_context_name(enum scaler_waker_context context);

#endif
