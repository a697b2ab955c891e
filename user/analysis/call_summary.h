/* SPDX-License-Identifier: GPL-2.0-only */
/* The recording's system calls summed over all threads, by call. */
#ifndef SCALER_ANALYSIS_CALL_SUMMARY_H
#define SCALER_ANALYSIS_CALL_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"

struct call_summary_row {
	enum scaler_abi abi;
	unsigned int number;
	uint64_t count;
};

struct call_summary {
	struct call_summary_row *rows; /* owned; most frequent first, then by number */
	size_t row_count;
	uint64_t total;
};

/* Returns 0 or -ENOMEM; the caller clears the summary in the first case. */
int call_summary_make(const struct profile *profile, struct call_summary *summary);
void call_summary_clear(struct call_summary *summary);

#endif
