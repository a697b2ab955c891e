/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the threads' time went by function, the application's own or one of a library that it called: in system calls by
 * way of it, and running in it and below outside of them as samples found it. With what else is in no system call all
 * adds up to the threads' lives.
 */
#ifndef SCALER_ANALYSIS_FUNCTION_SUMMARY_H
#define SCALER_ANALYSIS_FUNCTION_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/library_figures.h"
#include "analysis/path_parts.h"

struct function_caller {
	size_t place; /* index in places.items */
	struct call_sum sum;
};

struct function_row {
	struct call_path path; /* its caller is one of the callers, if there are any */
	struct time_figures figures;
	const struct function_caller *callers; /* in function_summary.callers, longest total first */
	size_t caller_count;
	/* What probes on the entered function counted, from wherever it was called; filled in by probed_functions_find(). */
	bool is_probed;
	bool is_probed_in_part; /* not from the beginning to the end */
	struct library_figures probed;
};

struct function_summary {
	struct function_row *rows; /* owned; sorted */
	size_t row_count;
	struct function_caller *callers; /* owned */
	struct time_figures outside;     /* of system calls, and in no row */
	struct time_figures total;
};

/* Brings the parts in another order. Returns 0, or -ENOMEM with nothing to clear. */
int function_summary_make(const struct path_parts *parts, const struct places *places,
			  const struct outside *outside, enum sort_key sort,
			  struct function_summary *summary);
/* The sum of the rows from first on. */
struct time_figures function_summary_rest(const struct function_summary *summary, size_t first);
void function_summary_clear(struct function_summary *summary);

#endif
