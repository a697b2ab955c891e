/* SPDX-License-Identifier: GPL-2.0-only */
/* Library calls by function: how often each was called, for how long, by which component, in which thread. */
#ifndef SCALER_ANALYSIS_LIBRARY_SUMMARY_H
#define SCALER_ANALYSIS_LIBRARY_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/library_figures.h"
#include "model/places.h"
#include "analysis/report_options.h"

/* Here and below the figures stand first, so that what shows them takes rows of any kind. */
struct library_caller {
	struct library_figures figures;
	size_t component; /* index in places.components; PLACE_NONE: not known */
};

/* A thread, or those of one name that have ended, of which all are counted together. */
struct library_thread {
	struct library_figures figures;
	uint32_t pid; /* 0, as is tid: of many threads */
	uint32_t tid;
	const char *comm; /* the profile's; not trusted */
	uint64_t threads;
};

/* How a function's calls were counted. */
enum library_counting {
	LIBRARY_EXACT,      /* all of them, as long as it had probes: library_function tells since when */
	LIBRARY_SAMPLED,    /* and from some time on in windows, because its probes cost too much */
	LIBRARY_SHARE_ONLY, /* and from then on not at all: only samples tell what part of the time was in it */
};

const char *library_counting_name(enum library_counting counting);

/* One function. Strings are not trusted. */
struct library_row {
	struct library_figures figures;
	const struct library_function *function; /* the profile's */
	enum library_counting counting;
	size_t component; /* that it lies in, as above */
	uint64_t p50_ns;  /* of those that were entered and have returned, as is the next */
	uint64_t p99_ns;
	uint64_t max_ns;
	uint64_t max_start_ns;                /* CLOCK_MONOTONIC; of the longest */
	const struct library_caller *callers; /* in library_summary.callers, most calls first */
	size_t caller_count;
	const struct library_thread *threads; /* in library_summary.threads; as they began */
	size_t thread_count;
};

struct library_summary {
	const struct library_functions *functions; /* NULL: no calls are recorded */
	bool is_timed;                             /* some function's calls are */
	struct library_row *rows; /* owned, as are the next; longest total first, then most calls */
	size_t row_count;
	struct library_caller *callers;
	struct library_thread *threads;
	struct library_figures
		total; /* its total times are those of self, as calls within calls are no more time */
};

/* The profile's threads are sorted by serial. Returns 0, or -ENOMEM with nothing to clear. */
int library_summary_make(const struct profile *profile, const struct places *places, enum sort_key sort,
			 struct library_summary *summary);
void library_summary_clear(struct library_summary *summary);

#endif
