/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a probe on the return of functions does no harm. Such a probe replaces the return address on the stack, and
 * whatever reads that goes wrong: the function itself, if it returns twice or asks who has called it, and all that
 * unwinds the stack while it is open. So it is placed where nothing can unwind, and otherwise on functions only that
 * nothing can unwind through.
 */
#ifndef SCALER_PROBE_RETURN_SAFETY_H
#define SCALER_PROBE_RETURN_SAFETY_H

#include <sys/types.h>

#include "probe/plan.h"
#include "target/linked_files.h"

/* What may happen in a process that a probe on a return would break, as bits; for each function some of them matter. */
enum return_hazard {
	RETURN_UNWINDS =
		1, /* frames of functions that call the program back may be unwound, or looked through */
	RETURN_CANCELS =
		2, /* so may those of functions that block, or that use streams of the program's own */
	RETURN_ANYWHERE = 4, /* so may any frame at any time */
};

struct return_safety {
	const struct linked_files *files; /* the caller's */
	unsigned int *abilities;          /* owned; each file's, as bits */
};

/* Returns 0 or -ENOMEM; the caller clears it in both cases. The files outlive it. */
int return_safety_make(struct return_safety *safety, const struct linked_files *files);
void return_safety_clear(struct return_safety *safety);

/* The hazards in that process; 0: in one that has all the files. */
unsigned int return_safety_of_process(const struct return_safety *safety, pid_t pid);

/* The hazards that matter to a function with that name, in a file with that one. */
unsigned int return_safety_of_function(const char *library, const char *name);

/* Of a function with that name, wherever it is: PLAN_TIMED, or why not. */
enum plan_untimed return_safety_of_name(const char *name);

#endif
