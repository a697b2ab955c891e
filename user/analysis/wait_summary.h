/* SPDX-License-Identifier: GPL-2.0-only */
/* Blocking intervals summed: threads of one name, waiting in one place for one kind of thing, woken in one way. */
#ifndef SCALER_ANALYSIS_WAIT_SUMMARY_H
#define SCALER_ANALYSIS_WAIT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/blocking_report.h"

/* Of some intervals. */
struct wait_figures {
	size_t count;
	uint64_t blocked_ns;
	uint64_t delay_ns;
	bool is_lower_bound; /* blocked_ns is, because that of an interval is */
};

void wait_figures_add(struct wait_figures *figures, const struct blocking_row *row);
void wait_figures_sum(struct wait_figures *figures, const struct wait_figures *more);

/*
 * The intervals of threads of one name that are alike in their system call, the functions that called for it, the
 * kernel's function, the kind of thing that was waited on (resource_compare_kinds()), and threads of which name, of the
 * same process or of others, or which interrupt ended them.
 */
struct wait_row {
	/* The longest; of what it waited on only what all have in common: no owner and no timeout. */
	struct blocking_row longest;
	bool has_several_wakers; /* processes */
	struct wait_figures figures;
	size_t thread_count;
	size_t process_count;
	uint64_t p99_ns; /* of blocked_ns: an interval's own (nearest rank) */
};

struct wait_summary {
	struct wait_row *rows; /* owned; sorted; by default by blocked_ns */
	size_t row_count;
	struct wait_figures total;
};

/*
 * Leaves out those of threads that were in one interval all the time: nothing is known of how long they wait. The
 * blocking report must outlive the summary. Returns 0 or -ENOMEM; the caller clears the summary in both cases.
 */
int wait_summary_make(const struct blocking_report *blocking, enum sort_key sort,
		      struct wait_summary *summary);
void wait_summary_clear(struct wait_summary *summary);

/* The sum of the rows from first on. */
struct wait_figures wait_summary_rest(const struct wait_summary *summary, size_t first);

#endif
