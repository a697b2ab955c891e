/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes follow the target: into the processes that it creates, the programs that these execute, and the libraries that
 * they load. Until then their calls are not recorded.
 */
#ifndef SCALER_PROBE_LIBRARY_FOLLOWER_H
#define SCALER_PROBE_LIBRARY_FOLLOWER_H

#include <stddef.h>
#include <stdint.h>

#include "plan/follow_queue.h"
#include "plan/plan.h"
#include "probe/library_probes.h"
#include "target/linked_files.h"

/* Each more costs all others something at each hit. */
#define FOLLOWED_PROCESSES_MAX 256

/* Since the beginning. */
struct follower_counts {
	size_t followed;    /* processes that have begun, and were probed */
	size_t ended;       /* those that had ended before */
	size_t refused;     /* times that one was not, because too many were already */
	uint64_t latest_ns; /* the most that passed before new code was probed */
	size_t missed;      /* files whose code processes had mapped that ended before it was looked at */
};

/* Code that a process has mapped and that has not been looked at: it may be unmapped by then. */
struct mapped_code {
	pid_t pid;
	uint32_t component;
};

struct library_follower {
	struct follow_queue queue;
	struct mapped_code *mapped; /* owned */
	size_t mapped_count;
	size_t mapped_capacity;
	struct ring_buffer *events; /* owned; NULL: it does not follow */
	struct follower_counts counts;
	/* The caller's, filled in before it is opened; they outlive it. */
	struct linked_files *files;
	struct plan *plan;
	const struct plan_options *options;
	struct library_probes *probes;
};

/* Returns 0 or a negative errno; the caller closes it in both cases. */
int library_follower_open(struct library_follower *follower);

/* Becomes readable when some process has changed, and stays so until the next run. */
int library_follower_fd(const struct library_follower *follower);

/*
 * Looks at the processes whose time has come, and attaches to what is new in them. Returns 0 or a negative errno;
 * *next_ns: when to run again, as CLOCK_MONOTONIC has it, 0: when it becomes readable.
 */
int library_follower_run(struct library_follower *follower, uint64_t *next_ns);

/* Takes the probes away that were in processes which have ended: they cost the others time. */
void library_follower_reap(struct library_follower *follower);

/* Takes what was heard since the last run. Returns how many files' code was mapped and will not be looked at if nobody follows any more. */
size_t library_follower_count_missed(struct library_follower *follower);

void library_follower_close(struct library_follower *follower);

#endif
