/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bottlenecks: which waiting events weigh most, and what they all come down to. Threads of one name are one group,
 * whatever number is in it; a wait of one group is an edge to the group, or root cause, that ended it. Its weight is
 * the time of the waits themselves and of all waits that these delayed in turn, by way of any number of others. The source
 * is "wPerf: Generic Off-CPU Analysis to Identify Bottleneck Waiting Events" (Zhou et al., OSDI 2018), of which the waits
 * of wait-for chains are the cascaded ones. Idle time (idle.h) weighs nothing.
 */
#ifndef SCALER_ANALYSIS_BOTTLENECK_REPORT_H
#define SCALER_ANALYSIS_BOTTLENECK_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/chain_tree.h"
#include "analysis/chain_what.h"

/* Threads, the CPUs, or a root cause. */
struct bottleneck_group {
	enum chain_kind
		kind; /* CHAIN_WAIT: threads, CHAIN_RUNNABLE: the CPUs, CHAIN_QUOTA: their quota; else a root cause */
	char name[16];    /* of threads, not trusted, # for a number; else "" */
	const char *disk; /* as in struct shape_names, as is the next */
	const char *interrupt;
	uint64_t root_ns;    /* so much of all delay ends with it: of threads, they ran */
	uint64_t awaited_ns; /* the sum of weights of the edges to it, as is the next of those from it */
	uint64_t waits_ns;
	uint32_t knot; /* from 1 on, 0: none; knots.h */
};

/* Waits that are alike and were ended by threads of one group, or one root cause. */
struct bottleneck_row {
	struct chain_what what; /* of one of the waits */
	size_t waiter;          /* indices in the groups */
	size_t ender;
	uint64_t weight_ns;
	uint64_t own_ns; /* of it: of the waits themselves */
};

/* All zero at first. */
struct bottleneck_report {
	struct bottleneck_group *groups; /* owned; largest root_ns first */
	size_t group_count;
	struct bottleneck_row *rows; /* owned; heaviest first */
	size_t row_count;
	uint64_t total_ns; /* of all waits, without idle time: the root_ns of all groups add up to it */
};

/* Edges of less weight than this part of the heaviest do not count for knots. */
#define BOTTLENECK_LEAST_PERCENT 1

/*
 * Of the waits in the tree, whose idle time has been found. The graph must outlive the report. Returns 0 or -ENOMEM;
 * the caller clears the report in both cases.
 */
int bottleneck_report_make(const struct wait_graph *graph, const struct chain_tree *tree,
			   struct bottleneck_report *report);
void bottleneck_report_clear(struct bottleneck_report *report);

#endif
