/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each BPF program is there for, and which features of the kernel decide between those that do the same in
 * different ways.
 */
#ifndef SCALER_PLAN_PROGRAM_TABLE_H
#define SCALER_PLAN_PROGRAM_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/feature_names.h"

/* What a recording may be of. */
enum program_use {
	USE_ALWAYS,
	USE_STATES, /* the threads' states alone */
	USE_BLOCKING,
	USE_CALLS,
	USE_STACKS,
	USE_SAMPLES,
	USE_FUNCTIONS,
	USE_FUNCTION_TIMES,
	USE_FOLLOWING,
	USE_NAMES,
	USE_CGROUP,
	USE_COUNT,
};

enum program_end {
	PROGRAM_HELPS,   /* it stays to the end, for what is read then */
	PROGRAM_RECORDS, /* it goes with the end of the recording */
};

struct program_row {
	const char *name;
	enum program_use use;
	enum program_end end;
	unsigned int needs;  /* features that must all be there, as bits */
	unsigned int unless; /* none of these */
	bool is_late;        /* attached when it is needed: to one process, to functions */
};

/* NULL: there is no such program. */
const struct program_row *program_row_find(const char *name);

/* Whether a recording of these uses loads it on a kernel of these features. */
bool program_row_applies(const struct program_row *row, const bool uses[USE_COUNT], unsigned int features);

#endif
