/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the threads' time went by component: in the system calls that are attributed to each, running outside of them
 * as samples found it, and what else is outside of them. All adds up to the threads' lives.
 */
#ifndef SCALER_ANALYSIS_COMPONENT_SUMMARY_H
#define SCALER_ANALYSIS_COMPONENT_SUMMARY_H

#include <stddef.h>

#include "analysis/outside.h"
#include "model/places.h"

struct component_row {
	const struct place_component *component; /* not owned; NULL: not known */
	const char *cut;                         /* why it is not known, in a few words; NULL: it is */
	struct time_figures figures;
};

struct component_summary {
	struct component_row *rows; /* owned; sorted */
	size_t row_count;
	struct time_figures outside; /* of system calls, and in no row */
	struct time_figures total;
};

/*
 * By which component the options say. The places must outlive the summary. Returns 0 or -ENOMEM, and then there is
 * nothing to clear.
 */
int component_summary_make(struct profile *profile, const struct places *places,
			   const struct outside *outside, const struct report_options *options,
			   struct component_summary *summary);
/* The sum of the rows from first on. */
struct time_figures component_summary_rest(const struct component_summary *summary, size_t first);
void component_summary_clear(struct component_summary *summary);

#endif
