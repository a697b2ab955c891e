/* SPDX-License-Identifier: GPL-2.0-only */
/* The recording's threads, each with its life and where it went, busiest first. */
#ifndef SCALER_ANALYSIS_THREAD_SUMMARY_H
#define SCALER_ANALYSIS_THREAD_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/call_path.h"
#include "analysis/report_options.h"
#include "model/profile.h"

/* Figures that threads have and that add up over them. Times in ns. */
struct thread_figures {
	uint64_t life_ns; /* within the recording: the sum of the three */
	uint64_t time_ns[SCALER_STATE_COUNT];
	uint64_t
		tracer_ns; /* of the running time what samples found to be the tracer's; by thread_functions_find() */
	uint64_t voluntary;
	uint64_t involuntary;
	uint64_t repaired;
	uint64_t unseen_wakeups;
	uint64_t delays;      /* waits for a CPU, with one that is not over */
	uint64_t dispatching; /* threads that have syscall user dispatch */
	uint64_t quota_ns;    /* of the runnable time: kept from a CPU by the quota of its cgroup; at least */
};

struct thread_row {
	uint32_t serial; /* the recording's own number of it */
	uint32_t pid;    /* the process's; tid the thread's own */
	uint32_t tid;
	char comm[SCALER_COMM_SIZE + 1]; /* not trusted */
	uint64_t start_ns;               /* CLOCK_MONOTONIC */
	bool exited;
	bool is_kernel;    /* the kernel's own */
	unsigned int cpus; /* how many it may run on, as it was last; 0: not known */
	struct thread_figures figures;
	struct scaler_span longest_delay; /* duration_ns 0: none */
	bool is_longest_open;             /* it is not over */
	/* The call that it was blocked in for the longest time, partial ones included. */
	struct scaler_call_id top_call;
	uint64_t top_call_blocked_ns; /* 0: it was blocked in none */
	/* The way that most of its time was due to, from any caller; filled in by thread_functions_find(). */
	struct call_path top_path;
	uint64_t top_path_ns; /* in system calls by way of it, and running in none; 0: no function is known */
};

struct thread_summary {
	struct thread_row *rows; /* owned; sorted; by default by running time */
	size_t row_count;
	size_t process_count;
	uint64_t grouped; /* threads of which the calls are known by name alone: struct profile_group */
	struct thread_figures total;
};

/* Returns 0 or -ENOMEM; the caller clears the summary in the first case. */
int thread_summary_make(const struct profile *profile, enum sort_key sort, struct thread_summary *summary);
void thread_summary_clear(struct thread_summary *summary);

void thread_figures_add(struct thread_figures *sum, const struct thread_figures *more);

/* The sum of the rows from first on. */
struct thread_figures thread_summary_rest(const struct thread_summary *summary, size_t first);

#endif
