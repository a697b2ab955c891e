/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What threads have left that have ended since the last reading. Rows are many, and a build starts thousands of
 * processes: as long as there are few rows, each thread has its own; from then on those of the threads of one name are
 * one group's, so that memory grows with what is different in what they do and not with their number.
 */
#ifndef SCALER_MODEL_ENDED_THREADS_H
#define SCALER_MODEL_ENDED_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/distinct.h"
#include "model/profile.h"

/* The rows that are kept of threads by themselves, and the threads, at 232 bytes each, that are kept at all. */
#define ENDED_ROWS_MAX    32768
#define ENDED_THREADS_MAX 262144
/* Names that groups have; all threads with other names are one group. */
#define ENDED_GROUPS_MAX 1024

/* All zero at first. */
struct ended_threads {
	struct profile alone;          /* threads by themselves, with their rows */
	struct scaler_thread *grouped; /* owned; threads whose rows are a group's */
	size_t grouped_count;
	size_t grouped_capacity;
	struct distinct groups; /* of struct profile_group, by name */
	struct distinct calls;  /* of struct profile_call, of the groups, as is the next */
	struct distinct errors; /* of struct profile_error */
	uint32_t
		last_read; /* later readings are compared with the rows of threads up to this one: they stay alone */
	uint32_t groups_before; /* in earlier readings, no two of which have a group in common */
	uint64_t lost;          /* threads that are not kept, since the beginning */
};

/* Adds copies of what threads have left. Returns 0 or -ENOMEM. */
int ended_threads_add(struct ended_threads *ended, const struct profile *taken);

/*
 * Adds all to a reading that has all else of its threads, and sorts these; the next ones are for the next reading.
 * Returns 0 or -ENOMEM.
 */
int ended_threads_move(struct ended_threads *ended, struct profile *reading);

void ended_threads_clear(struct ended_threads *ended);

#endif
