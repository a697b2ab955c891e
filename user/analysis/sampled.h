/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How sure figures of calls are that were recorded in windows: the estimate is made anew without each group of
 * windows in turn, and how much these differ tells its variance (the delete-a-group jackknife: P. S. Kott, The Delete-a-
 * Group Jackknife, Journal of Official Statistics 17, 2001). To that comes what is not known of the cost of counting.
 */
#ifndef SCALER_ANALYSIS_SAMPLED_H
#define SCALER_ANALYSIS_SAMPLED_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile.h"

/* Whether there is more than what was recorded at each call. */
enum sampled_rest {
	SAMPLED_NOTHING,
	SAMPLED_IN_WINDOWS, /* from some time on there were windows only, and what is in these may be nothing */
	SAMPLED_NO_MORE,    /* from some time on there were none either: figures are lower bounds */
};

/* Of some rows: what came of windows, by their groups (record.h). */
struct sampled_sums {
	enum sampled_rest rest; /* of library calls */
	uint64_t count[SCALER_WINDOW_GROUPS];
	uint64_t running_ns[SCALER_WINDOW_GROUPS];
	/* Calls that sleeps stand for whose beginning was missed; and by how many these can be fewer or more. */
	uint64_t unseen, fewer, more;
};

/* What windows there were, of system calls or of library calls, and how many calls were recorded in all. */
struct sampled_frame {
	struct scaler_sampling sampling;
	uint64_t recorded[SCALER_WINDOW_GROUPS];
	bool is_of_library;
};

/* In 95 of 100 recordings the true value lies from low to high. */
struct sampled_range {
	uint64_t low;
	uint64_t high; /* UINT64_MAX: there were too few windows to tell */
};

void sampled_sums_add_row(struct sampled_sums *sum, const struct scaler_call_stats *stats);
void sampled_sums_add(struct sampled_sums *sum, const struct sampled_sums *more);
/* The same of a row of library calls; nested: its time is in other rows' as well. */
void sampled_sums_add_library_row(struct sampled_sums *sum, const struct scaler_call_stats *stats,
				  bool nested);
/* Whether anything came of windows; and whether the figures are not exact, because of that or though nothing did. */
bool sampled_any(const struct sampled_sums *sums);
bool sampled_is_part(const struct sampled_sums *sums);

struct sampled_frame sampled_frame_make(const struct profile *profile);
struct sampled_frame sampled_frame_make_of_library(const struct profile *profile);

/* Of the rows' number of calls, and of their time; value is the figure, with what is not sampled. */
struct sampled_range sampled_find_count(const struct sampled_frame *frame, const struct sampled_sums *sums,
					uint64_t value);
struct sampled_range sampled_find_time(const struct sampled_frame *frame, const struct sampled_sums *sums,
				       uint64_t value_ns);

#endif
