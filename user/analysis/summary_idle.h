/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much of the time that threads were blocked was idle. A wait is idle, or not, as chains find it (idle.h); one that no
 * chain explains had begun before the recording and did not end in it, and is idle too, as is a kernel thread that waits.
 */
#ifndef SCALER_ANALYSIS_SUMMARY_IDLE_H
#define SCALER_ANALYSIS_SUMMARY_IDLE_H

#include "analysis/chain_report.h"
#include "analysis/kernel_names.h"
#include "base/distinct.h"

/* The time in waits that were not idle, by what the reader asks for. All zero at first. */
struct delayed_times {
	struct distinct names;     /* by the threads' names, merged */
	struct distinct functions; /* by the entered function */
};

/* Of the waits of applications at depth 0. Returns 0 or -ENOMEM; the caller clears the times in both cases. */
int delayed_times_make(const struct chain_report *chains, const struct kernel_names *kernel,
		       struct delayed_times *times);
void delayed_times_clear(struct delayed_times *times);

/* Of all threads with that name, merged. */
uint64_t delayed_times_of_name(const struct delayed_times *times, const char merged[SCALER_COMM_SIZE]);
uint64_t delayed_times_of_function(const struct delayed_times *times, uint64_t entered);

#endif
