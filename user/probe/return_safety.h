/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a probe on the return of functions does no harm. Such a probe replaces the return address on the stack, and
 * whatever reads that goes wrong: the function itself, if it returns twice or asks who has called it, and all that
 * unwinds the stack while it is open.
 */
#ifndef SCALER_PROBE_RETURN_SAFETY_H
#define SCALER_PROBE_RETURN_SAFETY_H

#include <stdbool.h>
#include <sys/types.h>

#include "probe/plan.h"
#include "target/linked_files.h"

struct return_safety {
	const struct linked_files *files; /* the caller's */
	const char *
		*unwinders; /* owned; for each file a function that it imports to unwind stacks, or NULL */
};

/* Returns 0 or -ENOMEM; the caller clears it in both cases. The files outlive it. */
int return_safety_make(struct return_safety *safety, const struct linked_files *files);
void return_safety_clear(struct return_safety *safety);

/* Whether nothing in the process unwinds its stack; 0: a process that has all the files. */
bool return_safety_of_process(const struct return_safety *safety, pid_t pid);

/* Of a function with that name, wherever it is: PLAN_TIMED, or why not. */
enum plan_untimed return_safety_of_name(const char *name);

#endif
