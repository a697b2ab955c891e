/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The answer on one screen: who took part, what they waited for that was not their own choice, what happened meanwhile,
 * and which functions the time was in. Threads whose names differ in their numbers alone are one group.
 */
#ifndef SCALER_ANALYSIS_SUMMARY_H
#define SCALER_ANALYSIS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/chain_report.h"
#include "analysis/function_summary.h"
#include "analysis/name_group.h"
#include "analysis/namings.h"
#include "analysis/runs_table.h"
#include "analysis/thread_summary.h"

/* What happened while others waited: threads' own time, or a root cause. */
struct summary_part {
	struct chain_what what; /* of one of them */
	struct name_group names;
	uint64_t total_ns; /* without idle time */
	struct runs runs;  /* of threads that ran */
};

#define SUMMARY_PARTS 3

/* Waits of one group for one thing, in one function. */
struct summary_wait {
	struct chain_what what; /* of one of them */
	struct name_group names;
	uint64_t count;
	uint64_t total_ns;                        /* without idle time */
	uint64_t longest_ns;                      /* may be idle in part */
	struct summary_part parts[SUMMARY_PARTS]; /* of the total, largest first */
	size_t part_count;
};

/* Threads of one group; or, of several processes, all threads of the processes of one. */
struct summary_group {
	struct name_group names;
	size_t threads;
	size_t processes;
	struct thread_figures figures;
	uint64_t idle_ns; /* of the blocked time: idle.h */
	struct runs runs;
	const struct thread_row *longest; /* the one that was blocked for the longest time */
	bool is_kernel;                   /* the kernel's own threads, all of them */
};

/* All rows of the function summary that entered one function. */
struct summary_function {
	uint64_t entered; /* an index in places.items; PLACE_NONE: not known */
	size_t caller;    /* that most of the time was due to; PLACE_NONE: none is known */
	uint64_t caller_ns;
	struct time_figures figures;
	uint64_t idle_ns; /* of the blocked time */
};

/* All zero at first. */
struct summary {
	struct summary_group *groups; /* owned; the least idle first */
	size_t group_count;
	bool are_processes;
	struct summary_wait *waits; /* owned; longest total first */
	size_t wait_count;
	uint64_t waits_ns;                  /* of all waits, without idle time */
	struct summary_function *functions; /* owned; most time without idle time first */
	size_t function_count;
};

/* What a summary is made of. All of it must outlive the summary. */
struct summary_sources {
	const struct thread_summary *threads;
	const struct function_summary *functions;
	const struct path_parts *parts;
	const struct places *places;
	const struct runs_table *runs;     /* of all threads by their own names */
	const struct chain_report *chains; /* NULL: waits are not followed, and no time is known to be idle */
};

/* Returns 0 or -ENOMEM; the caller clears the summary in both cases. */
int summary_make(const struct summary_sources *sources, struct summary *summary);
void summary_clear(struct summary *summary);

#endif
