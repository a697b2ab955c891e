/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The critical path of a thread: what determined how long a time took it, moment by moment, in whatever thread that
 * was. It is what is left of a wait-for chain if only what is not explained further counts.
 */
#ifndef SCALER_ANALYSIS_CRITICAL_PATH_H
#define SCALER_ANALYSIS_CRITICAL_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/wait_chain.h"

/* Never empty. */
struct path_segment {
	uint64_t from_ns;
	uint64_t to_ns;
	uint32_t task;  /* whose time it is: it ran, waited for a CPU, or waited for a root cause */
	uint32_t shape; /* as in struct chain_segment */
	uint32_t cause_shape;
	uint8_t kind;  /* enum chain_kind: a thread's own; of a wait its root cause stands beside it */
	uint8_t cause; /* the same: the root cause; CHAIN_WAIT: there is none */
};

/* All zero at first. */
struct critical_path {
	struct path_segment *segments; /* owned; in the order of time, one begins where another ends */
	size_t count;
	size_t capacity;
};

/*
 * Finds what determined the thread's time between these, which ends while it lives; the history has the thread. The
 * segments add up to it. Returns 0 or -ENOMEM; the caller clears the path in both cases.
 */
int critical_path_find(const struct wait_history *history, uint32_t task, uint64_t from_ns, uint64_t to_ns,
		       struct critical_path *path);
/* The longest of the segments, at most so many, in their order. Returns 0 or -ENOMEM; the caller clears them if 0. */
int critical_path_longest(const struct critical_path *path, size_t limit, struct critical_path *longest);

void critical_path_clear(struct critical_path *path);

#endif
