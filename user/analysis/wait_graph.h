/* SPDX-License-Identifier: GPL-2.0-only */
/* The wait-for graph of a recording, and what is known by name of what is in it: chains and paths are made from it. */
#ifndef SCALER_ANALYSIS_WAIT_GRAPH_H
#define SCALER_ANALYSIS_WAIT_GRAPH_H

#include <stdint.h>

#include "analysis/blocking_report.h"
#include "analysis/wait_history.h"
#include "analysis/wait_place.h"

/* What is known of a shape by name. */
struct shape_names {
	struct wait_place place;
	size_t kernel;            /* as in struct blocking_row */
	const char *disk;         /* NULL: none, or it has no name */
	const char *interrupt;    /* the same; that of a disk is not told */
	struct resource resource; /* of what the first one of the shape waited on */
};

/* Of the device or other interrupt that ended a wait; NULL: it has none. */
static inline const char *shape_cause_name(const struct shape_names *names)
{
	return names->disk ? names->disk : names->interrupt;
}

/* All zero at first. */
struct wait_graph {
	struct profile *profile; /* not owned, as are the next two */
	const struct places *places;
	const struct wait_history *history;
	struct shape_names *names; /* owned; by shape */
};

/*
 * Profile, which is sorted, places and history must outlive the graph. Returns 0 or -ENOMEM; the caller clears the graph
 * in both cases.
 */
int wait_graph_make(struct profile *profile, const struct places *places, const struct wait_history *history,
		    struct wait_graph *graph);
void wait_graph_clear(struct wait_graph *graph);

/* The thread of that serial number, or NULL. */
const struct scaler_thread *wait_graph_thread(const struct wait_graph *graph, uint32_t task);

#endif
