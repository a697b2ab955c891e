/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which calls threads were blocked in for the longest so far, counted as intervals come, in little memory: for who looks at a
 * recording that goes on. What is certainly nobody's delay, as own sleeps, does not count; what needs stacks and causes
 * to be told apart does, so that the report may say of it that it was idle.
 */
#ifndef SCALER_ANALYSIS_HOT_WAITS_H
#define SCALER_ANALYSIS_HOT_WAITS_H

#include <stddef.h>
#include <stdint.h>

#include <scaler/blocking.h>

#include "analysis/name_group.h"

/* Of more than that the smallest makes room for what is new. */
#define HOT_WAITS_KEPT 128

struct hot_wait {
	char group[SCALER_COMM_SIZE]; /* the threads' name, merged */
	struct name_group names;
	bool is_in_call;
	struct scaler_call_id call;
	uint64_t total_ns; /* blocked, and then waiting for a CPU */
	uint64_t count;
};

/* All zero at first. */
struct hot_waits {
	struct hot_wait rows[HOT_WAITS_KEPT];
	size_t count;
	uint64_t intervals; /* how many blocking intervals there were, those that do not count included */
};

void hot_waits_add(struct hot_waits *waits, const struct scaler_blocking_interval *interval);

/* Puts those of the longest totals first. Returns how many there are, and at most that many. */
size_t hot_waits_sort(struct hot_waits *waits, size_t most);

#endif
