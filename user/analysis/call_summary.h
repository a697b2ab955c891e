/* SPDX-License-Identifier: GPL-2.0-only */
/* The recording's system calls summed over all threads, by call, issuer and kind of descriptor. */
#ifndef SCALER_ANALYSIS_CALL_SUMMARY_H
#define SCALER_ANALYSIS_CALL_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

#include "model/places.h"
#include "analysis/report_options.h"
#include "analysis/sampled.h"
#include "model/profile.h"
#include "model/syscalls.h"

struct call_error {
	uint32_t code;
	uint64_t count;
};

/* Calls cut short in our view (record.h, scaler_partial_calls): lower bounds. */
struct partial_figures {
	uint64_t count;
	uint64_t total_ns;
	uint64_t runnable_ns;
	uint64_t blocked_ns;
};

/* Calls that were entered and returned within the recording, and, apart, the partial ones. */
struct call_figures {
	uint64_t count;
	uint64_t errors;
	uint64_t total_ns;
	uint64_t runnable_ns; /* of total_ns, as is the next */
	uint64_t blocked_ns;
	struct partial_figures partial;
	struct sampled_sums sampled; /* what count and total_ns are estimated by */
};

/* What the calls of one row have in common. */
struct call_summary_key {
	enum scaler_abi abi;
	unsigned int number;
	enum scaler_descriptor descriptor;
	size_t issuer; /* index in places.items */
};

struct call_summary_row {
	struct call_summary_key key;
	enum syscall_category category;
	struct call_figures figures;
	uint64_t p50_ns; /* of the calls that are not partial, as are the next */
	uint64_t p99_ns;
	uint64_t max_ns;
	uint64_t max_start_ns;           /* when the longest was entered, CLOCK_MONOTONIC */
	const struct call_error *errors; /* in call_summary.errors, most frequent first */
	size_t error_count;
};

struct call_summary {
	struct call_summary_row *rows; /* owned; sorted; by default longest total first */
	size_t row_count;
	struct call_error *errors; /* owned */
	struct call_figures total;
};

/* Adds a row of the fold. */
void call_figures_add(struct call_figures *sum, const struct scaler_call_stats *more);
/* What rows are sorted by, partial calls included; keys that a sum has no figure for stand for the total. */
uint64_t call_figures_value(const struct call_figures *figures, enum sort_key sort);

/* Partial calls count in what rows are sorted by. Returns 0, or -ENOMEM with nothing to clear. */
int call_summary_make(const struct profile *profile, const struct places *places, enum sort_key sort,
		      struct call_summary *summary);
/* The sum of the rows from first on. */
struct call_figures call_summary_rest(const struct call_summary *summary, size_t first);
void call_summary_clear(struct call_summary *summary);

/* "ENOENT", or the kernel's own name for a call that a signal interrupted; else the number. */
#define CALL_ERROR_NAME_SIZE 24
const char *call_error_format(uint32_t code, char buffer[CALL_ERROR_NAME_SIZE]);

#endif
