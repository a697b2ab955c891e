/* SPDX-License-Identifier: GPL-2.0-only */
/* Which parts of a report are made, in which order their rows stand, how many are shown. */
#ifndef SCALER_ANALYSIS_REPORT_OPTIONS_H
#define SCALER_ANALYSIS_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/blocking_filter.h"
#include "analysis/path_choice.h"
#include "analysis/report_parts.h"

/* Which component a system call is attributed to. */
enum component_of {
	COMPONENT_OF_CALLING, /* the one that called for it, outside the C library and the loader */
	COMPONENT_OF_ISSUING, /* the one whose instruction it is */
	COMPONENT_OF_COUNT,
};

/* Whether blocking intervals are printed one by one as they end, and if so which of a reading. */
enum report_stream {
	REPORT_STREAM_NONE,
	REPORT_STREAM_ENDED,
	REPORT_STREAM_LAST, /* and those that have not ended with the recording, but for those that never began in it */
};

#define REPORT_TOP_DEFAULT 40

/* Of lines that no terminal shows; and of all that is to be shown however wide it is. */
#define REPORT_WIDTH_DEFAULT 80
#define REPORT_WIDTH_ALL     10000

struct report_options {
	unsigned int parts;
	enum sort_key sort; /* a part that has no such figure keeps its own order */
	enum component_of component_of;
	size_t top;             /* rows that a table for people shows; the others are summed */
	size_t width;           /* of a line for people, in characters; 0: the default */
	unsigned int frequency; /* of CPU samples, a second and CPU; 0: there are none */
	unsigned int cpus;      /* of the machine */
	bool repeats;           /* there is a report for each interval */
	bool has_others;        /* and perhaps of regions, in the same output */
	enum report_stream stream;
	const char *symbols; /* a folder with debug files, an absolute path; NULL: none */
	struct blocking_filter filter;
	struct path_options path;
	uint64_t history_ns;     /* that chains are followed back; 0: as far as is kept */
	size_t chain_depth;      /* how many waits below each other are shown; 0: all */
	bool counts_idle;        /* waits that are idle by design rank as all others; idle.h */
	bool wall_clock;         /* intervals' times for people are those of the wall clock */
	bool names_calls_option; /* library calls are not recorded, and could be */
	const char *syscalls;    /* which of them are recorded, as --syscalls has it; NULL: all */
};

/* Whether what is so deep below a wait that is explained, at 0, is shown. */
static inline bool report_shows_depth(const struct report_options *options, size_t depth)
{
	return !options->chain_depth || depth < options->chain_depth;
}

/* "calling" or "issuing". */
const char *component_of_name(enum component_of component_of);

/* The key if the part has it, else SORT_DEFAULT. */
enum sort_key sort_key_for(const struct report_options *options, enum report_part_id part);

#endif
