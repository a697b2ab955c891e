/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was recorded, as data: the window, its threads, the rows of the kernel side's fold and what was
 * lost. The reader of a source of records fills a profile with all since the recording began; interval.h
 * makes of two such readings what lies between them, which is what analysis and renderers read.
 */
#ifndef SCALER_MODEL_PROFILE_H
#define SCALER_MODEL_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include <scaler/component.h>
#include <scaler/library.h>
#include <scaler/record.h>
#include <scaler/thread.h>

#include "model/blocking_intervals.h"
#include "model/library.h"
#include "model/samples.h"
#include "model/file_paths.h"
#include "model/sockets.h"
#include "model/stacks.h"
#include "model/tracer_cost.h"

/* A component by the number that sites have in them. */
struct profile_component {
	uint32_t number;
	struct scaler_component description;
};

struct profile_call {
	struct scaler_call_key key;
	struct scaler_call_stats stats;
};

/*
 * Threads that have ended and whose rows are one: so many of one name, or of several. It has a serial as threads have it
 * that no thread has; each of its threads is in the profile by itself, without rows.
 */
struct profile_group {
	char comm[SCALER_COMM_SIZE]; /* not trusted, perhaps without a final NUL */
	uint32_t serial;
	uint32_t zero;
	uint64_t threads;
};
#define PROFILE_FIRST_GROUP 0x80000000

/* A context of library calls. */
struct profile_context {
	struct scaler_context_key key;
	struct scaler_context context;
};

struct profile_error {
	struct scaler_error_key key;
	uint64_t count;
};

/* The call that a thread was in when it was read, or ended, and what it had taken so far. */
struct profile_open_call {
	struct scaler_call_key key;
	uint64_t enter_ns;
	uint64_t calls_before; /* how many of the thread's calls were in the fold then */
	struct scaler_partial_calls figures;
};

struct profile {
	struct scaler_window window;
	uint64_t paused_ns;            /* of the window: when nothing counted */
	int64_t wall_clock_ns;         /* CLOCK_REALTIME less CLOCK_MONOTONIC, as it was read */
	uint64_t recording_start_ns;   /* of the whole recording, of which this may be an interval */
	struct scaler_thread *threads; /* owned; finished; a reading has them sorted by serial */
	size_t thread_count;
	size_t thread_capacity;
	/* Owned; in the order of their threads, at most one each. Of an interval: those that have a partial call in its rows. */
	struct profile_open_call *open_calls;
	size_t open_call_count;
	size_t open_call_capacity;
	struct profile_call *calls; /* owned; system calls */
	size_t call_count;
	size_t call_capacity;
	struct profile_call *library_calls; /* owned */
	size_t library_call_count;
	size_t library_call_capacity;
	struct profile_context *contexts; /* owned */
	size_t context_count;
	size_t context_capacity;
	const struct library_functions *functions; /* the caller's; NULL: no library calls are recorded */
	struct profile_error *errors;              /* owned */
	size_t error_count;
	size_t error_capacity;
	struct profile_component *components; /* owned */
	size_t component_count;
	size_t component_capacity;
	struct profile_group *groups; /* owned; by serial */
	size_t group_count;
	size_t group_capacity;
	struct stacks stacks;
	struct samples samples;
	struct sockets sockets;
	struct file_paths paths;
	struct blocking_intervals blocking; /* of a reading: those that are new in it */
	uint64_t losses[SCALER_LOSS_COUNTERS];
	struct tracer_cost cost;
	struct scaler_sampling sampling; /* of system calls; all zeros: they were recorded all the time */
	struct scaler_sampling library_sampling; /* of library calls that would have cost too much */
};

/*
 * Takes a copy of a thread that is finished (scaler_thread_finish). The call that it is in becomes an open
 * call. Returns 0 or -ENOMEM.
 */
int profile_add_thread(struct profile *profile, const struct scaler_thread *thread);

/* Each takes a copy of one row; that of a call is a system call's or a library call's, as its key says. Returns 0 or -ENOMEM. */
int profile_add_call(struct profile *profile, const struct scaler_call_key *key,
		     const struct scaler_call_stats *stats);
int profile_add_open_call(struct profile *profile, const struct profile_open_call *open);
int profile_add_error(struct profile *profile, const struct scaler_error_key *key, uint64_t count);
int profile_add_context(struct profile *profile, const struct profile_context *context);
int profile_add_component(struct profile *profile, uint32_t number,
			  const struct scaler_component *description);

int profile_add_group(struct profile *profile, const struct profile_group *group);
int profile_add_groups(struct profile *to, const struct profile *from);

/* What a component is, also one that no profile has: the kernel, the tracer, and what is not known. */
const struct scaler_component *profile_component(const struct profile *profile, uint32_t number);

/* The thread or the group with that serial, or NULL; threads and groups are sorted. */
const struct scaler_thread *profile_find_thread(const struct profile *profile, uint32_t serial);
const struct profile_group *profile_find_group(const struct profile *profile, uint32_t serial);

/* What rows refer to by number: makes components, contexts, stacks, sockets and paths those of from. Returns 0 or -ENOMEM. */
int profile_copy_names(struct profile *to, const struct profile *from);

/* Frees what the profile owns and leaves it empty. */
void profile_clear(struct profile *profile);

#endif
