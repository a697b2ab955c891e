/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts that a report can have, in the order in which they are printed, and all that is to be known of each: its name
 * for --report, what it is made of, which figures its rows can be sorted by. What is recorded, the messages, --help and
 * completion, and the tables of functions that make and print the parts come from here. To add one: a row here, make_NAME()
 * and clear_NAME() in analysis/report.c, text_NAME() and json_NAME() in render/.
 */
#ifndef SCALER_ANALYSIS_REPORT_PARTS_H
#define SCALER_ANALYSIS_REPORT_PARTS_H

#include <stddef.h>

#include "model/recording.h"

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

/* Their names from the second on, for messages too. */
#define SORT_KEY_NAMES "total, running, runnable, blocked, calls, errors, p50, p99, max, switches, name"

/* Several of the keys, as bits. */
#define SORTS(key)   (1U << SORT_##key)
#define SORTS_TIMES  (SORTS(RUNNABLE) | SORTS(BLOCKED))
#define SORTS_WHOLE  (SORTS(TOTAL) | SORTS(RUNNING) | SORTS_TIMES)
#define SORTS_DIGEST (SORTS(P50) | SORTS(P99) | SORTS(MAX))

/* What a part is made of. */
enum report_needs {
	NEEDS_CALLS = RECORDED_CALLS,
	NEEDS_STACKS = RECORDED_STACKS,
	NEEDS_CALLERS = RECORDED_CALLERS,
	NEEDS_SAMPLES = RECORDED_SAMPLES,
	NEEDS_PROBES = RECORDED_PROBES,
	NEEDS_INTERVALS = RECORDED_INTERVALS,
	NEEDS_LIST = RECORDED_LIST,
	NEEDS_GRAPH = RECORDED_GRAPH,
	NEEDS_TREE = RECORDED_TREE,
	/* What it has more to say with. */
	TAKES_CALLS = 1 << 16,
	TAKES_SAMPLES = 1 << 17,
};
#define NEEDS_RECORDED ((1U << 16) - 1)

#define NEEDS_WAITS (NEEDS_INTERVALS | NEEDS_LIST)
#define NEEDS_WHOM  (NEEDS_INTERVALS | NEEDS_GRAPH | TAKES_SAMPLES)

/* A part a line. PART(argument, ID, function names, name, help, needs, sort keys). */
/* clang-format off */
#define REPORT_PARTS(PART, argument)                                                                         \
	PART(argument, SUMMARY, summary, "summary", "one screen: who waited for what, and where time went",  \
	     TAKES_CALLS | TAKES_SAMPLES, 0)                                                                 \
	PART(argument, PATH, path, "path", "the critical path of a thread or process", NEEDS_WHOM, 0)        \
	PART(argument, BOTTLENECKS, bottlenecks, "bottlenecks", "waits by all that they delay in turn",      \
	     NEEDS_WHOM | NEEDS_TREE, 0)                                                                     \
	PART(argument, CHAINS, chains, "chains", "what each wait was made of", NEEDS_WHOM | NEEDS_TREE, 0)   \
	PART(argument, WAITS, waits, "waits", "waits of a kind, summed", NEEDS_WAITS,                        \
	     SORTS_TIMES | SORTS(P99) | SORTS(MAX) | SORTS(SWITCHES) | SORTS(NAME))                          \
	PART(argument, LOCKS, locks, "locks", "what each futex was to those that waited on it", NEEDS_WAITS, \
	     SORTS_TIMES | SORTS(MAX) | SORTS(SWITCHES))                                                     \
	PART(argument, BLOCKING, blocking, "blocking", "blocking intervals, one by one", NEEDS_WAITS,        \
	     SORTS_TIMES | SORTS(NAME))                                                                      \
	PART(argument, COMPONENTS, components, "components", "time by library or program",                   \
	     NEEDS_CALLS | TAKES_SAMPLES, SORTS_WHOLE | SORTS(CALLS) | SORTS(NAME))                          \
	PART(argument, FUNCTIONS, functions, "functions", "time by library function",                        \
	     NEEDS_CALLS | NEEDS_STACKS | TAKES_SAMPLES,                                                     \
	     SORTS_WHOLE | SORTS(CALLS) | SORTS(ERRORS) | SORTS(NAME))                                       \
	PART(argument, CPU, cpu, "cpu", "where the threads ran", NEEDS_SAMPLES | TAKES_SAMPLES,              \
	     SORTS(TOTAL) | SORTS(RUNNING) | SORTS(NAME))                                                    \
	PART(argument, LIBRARY, library, "library", "calls of library functions, counted and timed",         \
	     NEEDS_PROBES, SORTS_WHOLE | SORTS(CALLS) | SORTS_DIGEST | SORTS(NAME))                          \
	PART(argument, FLOW, flow, "flow", "library calls between components", NEEDS_PROBES,                 \
	     SORTS_WHOLE | SORTS(CALLS))                                                                     \
	PART(argument, CALLS, calls, "syscalls", "system calls", NEEDS_CALLS,                                \
	     SORTS_WHOLE | SORTS(CALLS) | SORTS(ERRORS) | SORTS_DIGEST | SORTS(NAME))                        \
	PART(argument, THREADS, threads, "threads", "threads and their states", 0,                           \
	     SORTS_WHOLE | SORTS(SWITCHES) | SORTS(NAME))                                                    \
	PART(argument, LATENCY, latency, "latency", "how long threads waited for a CPU", 0,                  \
	     SORTS(RUNNING) | SORTS(RUNNABLE) | SORTS(MAX) | SORTS(SWITCHES) | SORTS(NAME))                  \
	PART(argument, TREE, tree, "tree", "time by stacks",                                                 \
	     NEEDS_CALLS | NEEDS_STACKS | NEEDS_CALLERS | TAKES_SAMPLES,                                     \
	     SORTS_WHOLE | SORTS(CALLS) | SORTS(ERRORS) | SORTS(NAME))

/* clang-format on */

#define REPORT_PART_ID(argument, ID, functions, name, help, needs, keys)  PART_##ID,
#define REPORT_PART_BIT(argument, ID, functions, name, help, needs, keys) REPORT_##ID = 1 << PART_##ID,
#define REPORT_IF_NEEDS(some, ID, functions, name, help, needs, keys)                                        \
	| ((needs) & (some) ? 1 << PART_##ID : 0)
#define REPORT_PART_COMMA_NAME(argument, ID, functions, name, help, needs, keys) ", " name

enum report_part_id { REPORT_PARTS(REPORT_PART_ID, ) REPORT_PART_COUNT };

/* Bits of report_options.parts, and sets of them. */
enum report_part {
	REPORT_PARTS(REPORT_PART_BIT, ) REPORT_SUMMARY_WAITS =
		1 << REPORT_PART_COUNT, /* that the summary has waits, and tells idle time apart */
	REPORT_NAMED_ALL = 1 << (REPORT_PART_COUNT + 1), /* stands for those of the tables that can be had */

	REPORT_LISTS = 0 REPORT_PARTS(REPORT_IF_NEEDS, NEEDS_LIST),
	REPORT_TREES = REPORT_SUMMARY_WAITS REPORT_PARTS(REPORT_IF_NEEDS, NEEDS_TREE),
	REPORT_GRAPH = REPORT_SUMMARY_WAITS REPORT_PARTS(REPORT_IF_NEEDS, NEEDS_GRAPH),
	REPORT_INTERVALS = REPORT_SUMMARY_WAITS REPORT_PARTS(REPORT_IF_NEEDS, NEEDS_INTERVALS),
	REPORT_OF_CALLS = 0 REPORT_PARTS(REPORT_IF_NEEDS, NEEDS_CALLS),
	REPORT_OF_PROBES = 0 REPORT_PARTS(REPORT_IF_NEEDS, NEEDS_PROBES),
	REPORT_WITH_CALLS = 0 REPORT_PARTS(REPORT_IF_NEEDS, NEEDS_CALLS | TAKES_CALLS),
	REPORT_WITH_SAMPLES = REPORT_SUMMARY_WAITS REPORT_PARTS(REPORT_IF_NEEDS, TAKES_SAMPLES),
	REPORT_ALL = (1 << (REPORT_PART_COUNT + 1)) - 1,

	/* If nothing is asked for but that blocking intervals be recorded: these, and the threads alone. */
	REPORT_BLOCKING_DEFAULT = REPORT_LISTS,
	REPORT_SCHEDULING = REPORT_THREADS | REPORT_LATENCY,
	/* As text if nothing is asked for, and in other formats. */
	REPORT_SCREEN = REPORT_SUMMARY | REPORT_SUMMARY_WAITS,
	REPORT_TABLES = REPORT_COMPONENTS | REPORT_FUNCTIONS | REPORT_CPU | REPORT_CALLS | REPORT_THREADS,
};

/* All names, for messages. */
#define REPORT_PART_NAMES "all" REPORT_PARTS(REPORT_PART_COMMA_NAME, )

struct report_part_row {
	const char *name;
	const char *help;
	unsigned int needs;     /* enum report_needs */
	unsigned int sort_keys; /* bits by enum sort_key */
};

extern const struct report_part_row report_parts[REPORT_PART_COUNT];

/* The parts of that name, or 0; the key of that name, or 0. */
unsigned int report_part_find(const char *name, size_t length);
enum sort_key sort_key_find(const char *name);

#endif
