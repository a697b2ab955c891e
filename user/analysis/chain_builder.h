/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wait-for chains made while it is recorded: what was told is added part by part, each wait is explained as soon as all
 * is there that explains it, and what nothing needs any longer is forgotten.
 */
#ifndef SCALER_ANALYSIS_CHAIN_BUILDER_H
#define SCALER_ANALYSIS_CHAIN_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/blocking_filter.h"
#include "analysis/chain_tree.h"
#include "model/profile.h"
#include "model/wait_things.h"

/* How many times off a CPU are kept where nothing says so, which takes 268 MB. */
#define CHAIN_HISTORY_LIMIT (1 << 22)

/* A wait that is to be explained: its thread's serial number and its beginning. */
struct pending_wait {
	uint32_t task;
	uint64_t start_ns;
};

/* All zero at first but for the first four. */
struct chain_builder {
	const struct blocking_filter *filter; /* not owned: of the waits that are explained; NULL: all are */
	uint64_t history_ns;                  /* how far back is remembered; 0: as far as the limit lets it */
	size_t history_limit; /* then the earlier half of its time is forgotten; 0: the default */
	bool explains;        /* waits; else there is a history and no more */
	struct wait_history history;
	struct chain_tree tree;       /* of the waits that were explained since the last report */
	struct pending_wait *pending; /* owned */
	size_t pending_count;
	size_t pending_capacity;
	uint64_t recording_start_ns;
	size_t left_out; /* so many waits since the last report, by the filter */
};

/*
 * Takes what the profile says of threads and sockets, and the intervals that no call before has told of. Returns 0 or
 * -ENOMEM, as does the next.
 */
int chain_builder_add(struct chain_builder *builder, struct profile *profile);

/* Explains the part within the window of all waits that were over then; UINT64_MAX: of all. */
int chain_builder_explain(struct chain_builder *builder, const struct scaler_window *window,
			  uint64_t until_ns);

/* Forgets what is older than is remembered at that time. */
void chain_builder_forget(struct chain_builder *builder, uint64_t now_ns);

/* Begins with the time behind a report: without its waits, of which those that have not ended will be told again. */
void chain_builder_next(struct chain_builder *builder);

/* What is known by no more than the history, to be named. Returns 0 or -ENOMEM; the caller clears the things in both cases. */
int chain_builder_things(const struct chain_builder *builder, struct wait_things *things);

void chain_builder_clear(struct chain_builder *builder);

#endif
