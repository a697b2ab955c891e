/* SPDX-License-Identifier: GPL-2.0-only */
/* Which parts of a report are made, in which order their rows stand, how many are shown. */
#ifndef SCALER_ANALYSIS_REPORT_OPTIONS_H
#define SCALER_ANALYSIS_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/blocking_filter.h"
#include "analysis/path_choice.h"

/* Bits of report_options.parts. */
enum report_part {
	REPORT_COMPONENTS = 1 << 0,
	REPORT_FUNCTIONS = 1 << 1, /* needs stacks */
	REPORT_CALLS = 1 << 2,
	REPORT_THREADS = 1 << 3,
	REPORT_TREE = 1 << 4,    /* needs stacks to their outermost frames */
	REPORT_CPU = 1 << 5,     /* needs samples */
	REPORT_LIBRARY = 1 << 6, /* needs probes, as does the next */
	REPORT_FLOW = 1 << 7,
	REPORT_BLOCKING = 1 << 8, /* needs blocking intervals, as do the next */
	REPORT_WAITS = 1 << 9,
	REPORT_LOCKS = 1 << 10,
	REPORT_LATENCY = 1 << 11,
	REPORT_CHAINS = 1 << 12,
	REPORT_PATH = 1 << 13,
	REPORT_BOTTLENECKS = 1 << 14,
	REPORT_SUMMARY = 1 << 15,
	REPORT_SUMMARY_WAITS = 1 << 16, /* that the summary has waits, and tells idle time apart */
	/* Made from the wait-for graph. */
	REPORT_LISTS = REPORT_BLOCKING | REPORT_WAITS | REPORT_LOCKS, /* of intervals, one by one */
	REPORT_TREES = REPORT_CHAINS | REPORT_BOTTLENECKS | REPORT_SUMMARY_WAITS, /* of waits explained */
	REPORT_GRAPH = REPORT_TREES | REPORT_PATH,
	REPORT_INTERVALS = REPORT_LISTS | REPORT_GRAPH,
	/* If nothing is asked for but that blocking intervals be recorded. */
	REPORT_BLOCKING_DEFAULT = REPORT_BLOCKING | REPORT_WAITS | REPORT_LOCKS,
	/* Of the threads alone. */
	REPORT_SCHEDULING = REPORT_THREADS | REPORT_LATENCY,
	/* As text if nothing is asked for. */
	REPORT_SCREEN = REPORT_SUMMARY | REPORT_SUMMARY_WAITS,
	/* In other formats. */
	REPORT_TABLES = REPORT_COMPONENTS | REPORT_FUNCTIONS | REPORT_CPU | REPORT_CALLS | REPORT_THREADS,
	/* Stands for those of the tables that can be had. */
	REPORT_NAMED_ALL = 1 << 17,
	REPORT_ALL = REPORT_TABLES | REPORT_LATENCY | REPORT_LIBRARY | REPORT_FLOW | REPORT_TREE |
		     REPORT_INTERVALS | REPORT_SUMMARY,
};

/* What rows are sorted by, largest first; names from A on. */
enum sort_key {
	SORT_DEFAULT, /* threads by running, all else by total */
	SORT_TOTAL,   /* of a thread: its life */
	SORT_RUNNING,
	SORT_RUNNABLE,
	SORT_BLOCKED,
	SORT_CALLS,
	SORT_ERRORS,
	SORT_P50,
	SORT_P99,
	SORT_MAX,
	SORT_SWITCHES,
	SORT_NAME,
	SORT_KEY_COUNT,
};

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
	const char *syscalls;    /* which of them were recorded, as --syscalls has it; NULL: all */
};

/* Whether what is so deep below a wait that is explained, at 0, is shown. */
static inline bool report_shows_depth(const struct report_options *options, size_t depth)
{
	return !options->chain_depth || depth < options->chain_depth;
}

/* The parts of that name, or 0; the key of that name, or 0. */
unsigned int report_part_find(const char *name, size_t length);
enum sort_key sort_key_find(const char *name);

/* "calling" or "issuing". */
const char *component_of_name(enum component_of component_of);

/* The key if the part has it, else SORT_DEFAULT. */
enum sort_key sort_key_for(const struct report_options *options, enum report_part part);

/* All names, for messages. */
#define REPORT_PART_NAMES                                                                                    \
	"all, blocking, bottlenecks, chains, components, flow, functions, cpu, latency, library, locks, "    \
	"path, summary, syscalls, threads, tree, waits"
#define SORT_KEY_NAMES "total, running, runnable, blocked, calls, errors, p50, p99, max, switches, name"

#endif
