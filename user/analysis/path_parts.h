/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of the fold, and the samples that found threads running in no system call, each with the path of functions
 * by which the application came there: what is summed by function.
 */
#ifndef SCALER_ANALYSIS_PATH_PARTS_H
#define SCALER_ANALYSIS_PATH_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/attribution.h"
#include "analysis/outside.h"

struct path_part {
	struct call_path path;
	uint32_t task;                   /* the thread's serial number */
	const struct profile_call *call; /* the profile's; NULL: it is of samples, the next */
	const struct outside_row *sampled;
};

struct path_parts {
	struct path_part *items; /* owned */
	size_t count;
};

/* The profile and outside must outlive the parts. Returns 0, or -ENOMEM with nothing to clear. */
int path_parts_list(struct profile *profile, const struct places *places, const struct outside *outside,
		    struct path_parts *parts);
void path_parts_clear(struct path_parts *parts);

void path_part_add(const struct path_part *part, struct time_figures *sum);

#endif
