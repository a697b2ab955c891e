/* SPDX-License-Identifier: GPL-2.0-only */
/* How many rows maps are given for what is to be traced, where the user has not said. */
#ifndef SCALER_PLAN_MAP_CHOICE_H
#define SCALER_PLAN_MAP_CHOICE_H

#include <stddef.h>
#include <stdint.h>

/* The maps whose size can be chosen. */
enum recorder_map {
	RECORDER_MAP_THREADS,
	RECORDER_MAP_CALLS,
	RECORDER_MAP_ERRORS,
	RECORDER_MAP_COMPONENTS,
	RECORDER_MAP_STACKS,
	RECORDER_MAP_RULES,
	RECORDER_MAP_CONTEXTS,
	RECORDER_MAP_SOCKETS,
	RECORDER_MAP_PATHS,
	RECORDER_MAP_EVENTS, /* its size is in bytes, a power of two */
	RECORDER_MAP_COUNT,
};

struct map_needs {
	uint64_t threads;      /* that the target has now */
	uint64_t functions;    /* whose calls are recorded */
	uint64_t cpus;         /* that may write events at once */
	uint64_t memory_bytes; /* of the machine */
};

/*
 * Sets those that are 0 and for which the defaults are too small. A row that is not used takes 16 bytes, so that there
 * are many to spare: of calls, which take 1.2 KiB each, as many as would fill 1/64 of the memory, or more if the
 * target's threads need them. The ring buffer of events takes what it is given: 32 MiB, or up to 1/64 of the memory.
 */
void map_choice_fill(uint32_t rows[RECORDER_MAP_COUNT], const struct map_needs *needs);

#endif
