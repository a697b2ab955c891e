/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a probe on the return of functions does no harm: of a function, what would have to be excluded; of a file, what
 * its code may do. Of both scaler/return_hazard.h has the bits.
 */
#ifndef SCALER_PROBE_RETURN_SAFETY_H
#define SCALER_PROBE_RETURN_SAFETY_H

#include <stdint.h>
#include <sys/types.h>

#include <scaler/return_hazard.h>

#include "probe/plan.h"
#include "target/linked_files.h"

/* The abilities of its code, as bits. */
uint32_t return_safety_of_file(const struct linked_file *file);

/* The hazards that a living process brings with it whatever its files may do. */
uint32_t return_safety_of_process(pid_t pid);

/* The hazards that matter unless a function is known not to be unwound. */
#define RETURN_SAFETY_UNPROVEN (SCALER_RETURN_UNWINDS | SCALER_RETURN_CANCELS)

/* Those of them that calling a function of another file, by what it is linked by, brings with it. */
uint32_t return_safety_of_call(const char *name, const char *version);

/* The hazards that matter to a function with that name, in a file with that one. */
uint32_t return_safety_of_function(const char *library, const char *name);

/* Of a function with that name, wherever it is: PLAN_TIMED, or why not. */
enum plan_untimed return_safety_of_name(const char *name);

#endif
