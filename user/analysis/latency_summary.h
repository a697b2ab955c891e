/* SPDX-License-Identifier: GPL-2.0-only */
/* How long threads wait for a CPU once they could run: the scheduler's latency, longest delay first. */
#ifndef SCALER_ANALYSIS_LATENCY_SUMMARY_H
#define SCALER_ANALYSIS_LATENCY_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/thread_summary.h"

/* Of one thread, or of several. Times in ns. */
struct latency_figures {
	uint64_t running_ns;
	uint64_t switches; /* out of a CPU */
	uint64_t delays;
	uint64_t delay_ns;          /* their sum: all the time that the threads were runnable */
	uint64_t quota_ns;          /* of that, by the quotas of their cgroups; at least */
	struct scaler_span longest; /* duration_ns 0: there is none */
	bool is_lower_bound;        /* the longest is not over */
};

struct latency_row {
	const struct thread_row *thread;
	struct latency_figures figures;
};

struct latency_summary {
	struct latency_row *rows; /* owned; sorted; by default by the longest delay */
	size_t row_count;
	struct latency_figures total;
};

/* The threads must outlive the summary. Returns 0 or -ENOMEM; the caller clears the summary in both cases. */
int latency_summary_make(const struct thread_summary *threads, enum sort_key sort,
			 struct latency_summary *summary);
void latency_summary_clear(struct latency_summary *summary);

/* Of the rows from first on. */
struct latency_figures latency_summary_rest(const struct latency_summary *summary, size_t first);

/* 0 if there are no delays. */
uint64_t latency_average_ns(const struct latency_figures *figures);

#endif
