/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What threads of one name ran: the functions that the application was in, or had called, as samples found them outside
 * of system calls, and by the calls themselves.
 */
#ifndef SCALER_ANALYSIS_RUNS_TABLE_H
#define SCALER_ANALYSIS_RUNS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/namings.h"
#include "analysis/path_parts.h"
#include "analysis/thread_summary.h"
#include "base/distinct.h"

/* What some of the threads ran the most. */
struct runs {
	size_t function;      /* an index in places.items; PLACE_NONE: not known */
	uint64_t function_ns; /* of running_ns: in that function and below */
	uint64_t running_ns;
};

/* All zero at first. */
struct runs_table {
	struct distinct names;     /* by merged names */
	struct distinct functions; /* by name and function */
};

/* Returns 0 or -ENOMEM; the caller clears the table in both cases. */
int runs_table_make(const struct namings *namings, const struct path_parts *parts,
		    const struct places *places, struct runs_table *table);
/* The same of all threads by their own names. */
int runs_table_of_threads(const struct thread_summary *threads, const struct path_parts *parts,
			  const struct places *places, struct runs_table *table);
void runs_table_clear(struct runs_table *table);

/* Of the threads whose names are that once merged; the name may have its numbers. */
struct runs runs_table_find(const struct runs_table *table, const char name[SCALER_COMM_SIZE]);

#endif
