/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions of a file have cost too much of late, in this run or in an earlier one. What costs too much in one
 * program may be cheap in another, so they get their probes like all others: only sooner taken out, and by themselves.
 */
#ifndef SCALER_PLAN_COSTLY_CACHE_H
#define SCALER_PLAN_COSTLY_CACHE_H

#include "plan/plan.h"
#include "target/linked_files.h"

/* To be increased when something else is kept. */
#define COSTLY_RULES 1

/* Of which file, its number among the plan's; fd: open, below 0: it cannot be opened, and nothing is known. */
struct costly_file {
	const struct linked_file *file;
	uint32_t number;
	int fd;
};

/* Sets was_costly of those of the plan's functions of the file that are kept. Returns 0 or -ENOMEM. */
int costly_cache_load(const struct costly_file *costly, struct plan *plan);

/* Keeps those that cost too much in this run, for a number of runs in which they do not. */
void costly_cache_store(const struct costly_file *costly, const struct plan *plan);

#endif
