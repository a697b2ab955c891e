/* SPDX-License-Identifier: GPL-2.0-only */
/* The library functions whose calls are recorded, by the numbers that contexts name them with. */
#ifndef SCALER_MODEL_LIBRARY_H
#define SCALER_MODEL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Strings are of the code that made the functions, as is the array of them, and not trusted. */
struct library_function {
	const char *library;  /* its file's name */
	const char *symbol;   /* as the compiler has mangled it */
	char *name;           /* as its programmer has it */
	const char **aliases; /* all its symbols, that one first; the array is the owner's of the functions */
	size_t alias_count;
	const char *version; /* NULL: none, or the default one */
	const char *omitted; /* why its calls are not recorded after all; NULL: they are */
	const char *untimed; /* why they are counted only; NULL: they are timed, or no times are asked for */
	/* CLOCK_MONOTONIC: from then on they are not recorded all the time, because their probes cost too much; 0: they are. */
	uint64_t unhooked_ns;
	bool is_sampled; /* but in windows: from then on, or until they were all the time */
	/* CLOCK_MONOTONIC: only from then on are they recorded all the time; 0: from the beginning. */
	uint64_t since_ns;
};

/* How probes have followed the target into what it has come to run since the beginning. */
struct library_coverage {
	uint64_t followed;  /* processes that have begun since, and were probed */
	uint64_t ended;     /* those that ended before, or that nobody followed any more at the end */
	uint64_t refused;   /* times that one was not, because too many were already */
	uint64_t latest_ns; /* the most that passed before new code was probed */
	uint64_t
		missed; /* files of code that processes had mapped and left again before it could be probed */
	uint64_t no_room; /* functions that were not probed, because too many were already */
};

/* Processes of a program without probes. */
struct library_refused {
	const char *program; /* the name of its file; the caller's, as are the next; not trusted */
	const char *library; /* of which there are none; NULL: there are none at all; not trusted */
	const char *reason;
	uint64_t processes;
};

struct library_functions {
	struct library_function *items; /* that of number 1 first */
	size_t count;
	struct library_coverage coverage;
	struct library_refused *refused;
	size_t refused_count;
};

/* What is said about some functions and not about others; NULL: nothing about this one. */
typedef const char *(*library_reason)(const struct library_function *function);

static inline const char *library_reason_omitted(const struct library_function *function)
{
	return function->omitted;
}

static inline const char *library_reason_untimed(const struct library_function *function)
{
	return function->omitted ? NULL : function->untimed;
}

#endif
