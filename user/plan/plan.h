/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which library functions get probes, and why others get none: a pure function of the files that processes have
 * mapped and of what is asked for. By default those are the call edges: what one file imports and another exports.
 * Who really calls is seen when it calls, so that among several exports of a name none needs to be chosen.
 */
#ifndef SCALER_PLAN_PLAN_H
#define SCALER_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/globs.h"
#include "code/probe_site.h"
#include "plan/plan_reason.h"
#include "target/linked_files.h"

enum plan_calls {
	PLAN_EDGES,   /* functions that another file imports */
	PLAN_EXPORTS, /* all that are exported */
};

struct plan_options {
	enum plan_calls calls;
	struct globs libraries; /* files' names, with or without what follows ".so"; none: all */
	struct globs
		functions; /* by one of their names, as the compiler or the programmer has it; none: all */
	struct globs excluded; /* libraries and functions */
};

struct plan_name {
	const char *name;     /* the files', as are the next; not trusted */
	const char *readable; /* as people have it */
	const char *version;  /* "": none */
	bool is_default;      /* of all versions of that name */
	bool is_imported;
};

/* One function, whatever names it has. */
struct plan_function {
	uint32_t file;       /* the number of its file among those given */
	uint32_t first_name; /* in the plan's names: the best one */
	uint32_t name_count;
	uint32_t first_importer; /* in the plan's importers */
	uint32_t importer_count;
	uint32_t first_exit; /* in the plan's exits, once they have been looked for */
	uint32_t exit_count; /* 0: it has none that can be probed, as far as is known */
	bool knows_exits;    /* they have been looked for */
	bool wants_relink;   /* it is to have other links than it has */
	bool is_windowed;    /* it is unhooked because it costs too much, and has probes in windows */
	bool is_sampled;     /* it was so at some time: its figures are estimates, at least in part */
	bool was_costly;     /* in an earlier run */
	bool is_screened;    /* it has been seen what its probes would cost */
	bool jumps_on;       /* in its code to where another function begins, which then returns for it */
	enum plan_omission omission;
	enum probe_site_kind site; /* of the instruction probed, once it has been looked at to attach */
	uint8_t skipped;           /* bytes before that, which cannot be probed */
	enum plan_untimed untimed; /* of all calls: by its names, and what is asked for */
	uint64_t offset;           /* in the file */
	uint64_t
		since_ns; /* CLOCK_MONOTONIC: when it got its probes, if that was later; 0: at the beginning */
	uint64_t
		unhooked_ns; /* CLOCK_MONOTONIC: when its probes were taken out: they cost too much, or it is omitted by now; 0: they were not */
};

struct plan {
	struct plan_function
		*functions; /* owned, as are the next; by file and name, but for those that were added */
	size_t function_count;
	struct plan_name *names;
	uint32_t *importers; /* numbers of files, for each function in their order and without duplicates */
	uint64_t *exits;     /* offsets of instructions, in the file, for each function in their order */
	size_t name_count;
	size_t importer_count;
	size_t exit_count;
	size_t exit_capacity;
	size_t no_room; /* functions that plan_extend() had no room for */
};

/* Makes the plan for these files, which outlive it. Returns 0 or -ENOMEM; the caller clears it in both cases. */
int plan_make(struct plan *plan, const struct linked_files *files, const struct plan_options *options);

/*
 * Adds the functions that are to be probed since files have been added: behind the others, which keep their numbers. No
 * more than most of them all; files and options are the plan's. Returns 0, or -ENOMEM with the plan as it was.
 */
int plan_extend(struct plan *plan, const struct linked_files *files, const struct plan_options *options,
		size_t most);

void plan_clear(struct plan *plan);

/* Why its calls are only counted, by what is known of it now; PLAN_TIMED: they are not. */
enum plan_untimed plan_untimed(const struct plan_function *function);

/* Whether functions of that file are asked for. */
bool plan_includes_file(const struct plan_options *options, const struct scaler_component *file);

void plan_options_clear(struct plan_options *options);

#endif
