/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of library calls: how many, how long, and how much of that within themselves. */
#ifndef SCALER_ANALYSIS_LIBRARY_FIGURES_H
#define SCALER_ANALYSIS_LIBRARY_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include <scaler/record.h>

#include "analysis/report_options.h"
#include "analysis/sampled.h"

struct library_figures {
	uint64_t calls;   /* all of them */
	uint64_t untimed; /* of calls: seen only as they began; their times are in none of the following */
	uint64_t
		partial; /* of calls: cut short by the recording's end or the thread's; times are lower bounds */
	/*
	 * From entry to return, once where a function is called from within itself: the outermost call. The states'
	 * times are of the total.
	 */
	struct scaler_times total;
	/* The same less the calls of other functions, or of itself, that were timed. */
	struct scaler_times self;
	struct sampled_sums sampled; /* what of calls and total came of windows */
};

/* Of the calls of the function of that number. */
enum sampled_rest library_figures_rest(const struct profile *profile, uint32_t number);

/* Adds a row of the fold; nested: of calls within calls of the same function. */
void library_figures_add(struct library_figures *sum, const struct scaler_call_stats *stats, bool nested);
void library_figures_add_sum(struct library_figures *sum, const struct library_figures *more);

/* What rows are sorted by; keys that there is no figure for stand for the total. */
uint64_t library_figures_value(const struct library_figures *figures, enum sort_key sort);

#endif
