/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the threads' time went by component: in the system calls that are put down to each, and, in a row of
 * its own, outside of system calls. The rows add up to the threads' lives.
 */
#ifndef SCALER_ANALYSIS_COMPONENT_SUMMARY_H
#define SCALER_ANALYSIS_COMPONENT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scaler/thread_state.h>

#include "analysis/call_summary.h"
#include "analysis/places.h"
#include "analysis/thread_summary.h"

struct component_figures {
	uint64_t total_ns; /* the sum of the three */
	uint64_t time_ns[SCALER_STATE_COUNT];
	uint64_t blocked_ns[CATEGORY_COUNT]; /* of the blocked time, by the call's category */
	uint64_t calls;                      /* partial ones included */
};

struct component_row {
	const struct place_component *component; /* not owned; NULL: not known, or outside of system calls */
	const char *cut; /* why it is not known, in a few words; NULL: it is, or outside */
	struct component_figures figures;
};

struct component_summary {
	struct component_row *rows; /* owned; sorted, the one outside of calls last */
	size_t row_count;
	struct component_figures total;
};

/*
 * By which component the options say. The places must outlive the summary. Returns 0 or -ENOMEM, and then there is
 * nothing to clear.
 */
int component_summary_make(struct profile *profile, const struct places *places,
			   const struct thread_summary *threads, const struct report_options *options,
			   struct component_summary *summary);
/* The sum of the rows from first on, that outside of calls left out. */
struct component_figures component_summary_rest(const struct component_summary *summary, size_t first);
void component_summary_clear(struct component_summary *summary);

#endif
