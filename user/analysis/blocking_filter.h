/* SPDX-License-Identifier: GPL-2.0-only */
/* Which blocking intervals are reported. */
#ifndef SCALER_ANALYSIS_BLOCKING_FILTER_H
#define SCALER_ANALYSIS_BLOCKING_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include <scaler/blocking.h>

#include "base/globs.h"

/* All of it must fit. Of a filter that is all zero every interval is reported. */
struct blocking_filter {
	uint64_t least_ns;  /* blocked */
	uint64_t since_ns;  /* since the recording began: it was not over */
	uint64_t until_ns;  /* it had begun; 0: whenever it did */
	const char *states; /* the letters of its state; NULL: any */
	struct globs tasks; /* the thread's name or TID; of no pattern: any */
	/* What it was in, of which the interval alone does not tell: wait_place_is_in(). Of no pattern: any. */
	struct globs functions;
};

/* Whether all but the functions fit. Times of the interval are CLOCK_MONOTONIC, as is the recording's beginning. */
bool blocking_filter_fits(const struct blocking_filter *filter,
			  const struct scaler_blocking_interval *interval, uint64_t blocked_ns,
			  uint64_t recording_start_ns);
bool blocking_filter_is_empty(const struct blocking_filter *filter);

/* "SDITtP": letters that ps and the kernel's tracing show for sleeping states. */
#define BLOCKING_STATE_LETTERS "SDITtP"

/* The one of such a state; '?': none is known. */
char blocking_state_letter(uint32_t state);

#endif
