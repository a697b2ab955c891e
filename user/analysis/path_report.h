/* SPDX-License-Identifier: GPL-2.0-only */
/* A critical path by the names that people know: what determined how long a thread or process took. */
#ifndef SCALER_ANALYSIS_PATH_REPORT_H
#define SCALER_ANALYSIS_PATH_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/chain_what.h"
#include "analysis/critical_path.h"
#include "analysis/path_choice.h"

/* A segment, or segments that are alike. */
struct path_row {
	struct chain_what what;
	struct chain_what cause; /* the root cause of a wait; of kind CHAIN_WAIT there is none */
	uint64_t count;
	uint64_t total_ns;
	uint64_t longest_ns;
};

/* All zero at first. */
struct path_report {
	struct path_choice choice;
	struct critical_path path;
	struct path_row *rows; /* owned; longest total_ns first, which add up to the choice's time */
	size_t row_count;
	uint64_t running_ns; /* of all rows, as are the next */
	uint64_t runnable_ns;
	uint64_t waiting_ns;
};

/* The graph must outlive the report. Returns 0 or -ENOMEM; the caller clears the report in both cases. */
int path_report_make(const struct wait_graph *graph, const struct path_options *options,
		     struct path_report *report);
void path_report_clear(struct path_report *report);

/* A row that shows one segment, without figures. */
struct path_row path_row_of(const struct wait_graph *graph, const struct path_segment *segment);

#endif
