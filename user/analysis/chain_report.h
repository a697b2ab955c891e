/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wait-for chains by the names that people know: which threads' waits in which functions, on what, and what they were
 * made of, down to the root causes.
 */
#ifndef SCALER_ANALYSIS_CHAIN_REPORT_H
#define SCALER_ANALYSIS_CHAIN_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/chain_tree.h"
#include "analysis/chain_what.h"
#include "analysis/report_options.h"

/* Waits that are alike, or what of a wait's time is attributed to causes that are. */
struct chain_row {
	struct chain_what what;
	size_t depth;   /* 0: of waits that are explained; what explains a row follows it, one deeper */
	size_t below;   /* so many rows follow that explain it */
	uint64_t count; /* of waits or spans of time */
	uint64_t total_ns;
	uint64_t longest_ns;
	uint64_t idle_ns;                    /* of total_ns; idle.h */
	uint64_t whole_ns;                   /* of the row of depth 0 that it stands below, or is */
	const struct chain_example *longest; /* at depth 0: the longest wait; else NULL */
};

/* All zero at first. */
struct chain_report {
	struct chain_tree *tree; /* not owned */
	struct chain_row *rows;  /* owned; sorted by the time that is not idle among those of one parent */
	size_t row_count;
	size_t top_count;  /* so many have depth 0 */
	uint64_t total_ns; /* of these, as are the next */
	uint64_t idle_ns;
	uint64_t count;
};

/*
 * Of the tree's waits that are not left out, down to the depth that the options have; idle time is told apart in the
 * tree unless it is to count as any other. Graph and tree must outlive the report. Returns 0 or -ENOMEM; the caller
 * clears the report in both cases.
 */
int chain_report_make(const struct wait_graph *graph, struct chain_tree *tree,
		      const struct report_options *options, struct chain_report *report);
void chain_report_clear(struct chain_report *report);

#endif
