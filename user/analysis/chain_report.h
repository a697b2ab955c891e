/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wait-for chains by the names that people know: which threads' waits in which functions, on what, and what they were
 * made of, down to the root causes.
 */
#ifndef SCALER_ANALYSIS_CHAIN_REPORT_H
#define SCALER_ANALYSIS_CHAIN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/blocking_report.h"
#include "analysis/chain_tree.h"

/* Waits that are alike, or what of a wait's time is put down to causes that are. */
struct chain_row {
	enum chain_kind kind;
	size_t depth; /* 0: of waits that are explained; what explains a row follows it, one deeper */
	size_t below; /* so many rows follow that explain it */
	const struct wait_shape *shape; /* of one of them */
	struct wait_place place;        /* not of all kinds: the shape's */
	size_t kernel;                  /* as in struct blocking_row, as are the next two */
	struct resource resource;       /* of a wait */
	const char *interrupt;
	bool has_several; /* of waits: on several things of that kind */
	/* Of waits, for how long they had asked to wait; 0: some had not. */
	uint64_t least_timeout_ns;
	uint64_t most_timeout_ns;
	uint64_t count; /* of waits or spans of time */
	uint64_t total_ns;
	uint64_t longest_ns;
	uint64_t whole_ns;                   /* of the row of depth 0 that it stands below, or is */
	const struct chain_example *longest; /* at depth 0: the longest wait; else NULL */
};

/* What is known of a shape by name. */
struct chain_names {
	struct wait_place place;
	size_t kernel; /* as in struct blocking_row */
	const char *interrupt;
	struct resource resource; /* of what the first one of the shape waited on */
};

struct chain_report {
	struct profile *profile; /* not owned */
	struct wait_history history;
	struct chain_tree tree;
	struct chain_names *names; /* owned; by shape */
	struct chain_row *rows;    /* owned; sorted by total_ns among those of one parent */
	size_t row_count;
	size_t top_count;  /* so many have depth 0 */
	uint64_t total_ns; /* of these, as is the next */
	uint64_t count;
	struct interrupt_names interrupts;
};

/*
 * Of the waits in the blocking report, but those of threads that were in one all the time; the profile's others explain
 * them. Profile, places and blocking report must outlive the report. Returns 0 or -ENOMEM; the caller clears the report
 * in both cases.
 */
int chain_report_make(struct profile *profile, const struct places *places,
		      const struct blocking_report *blocking, struct chain_report *report);
/* A row that shows a segment of an example by names; without figures. */
struct chain_row chain_report_segment(const struct chain_report *report, const struct chain_segment *segment);

/* The thread of that serial number, or NULL. */
const struct scaler_thread *chain_report_thread(const struct chain_report *report, uint32_t task);

void chain_report_clear(struct chain_report *report);

#endif
