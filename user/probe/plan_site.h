/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function's first instructions say of a probe on it. */
#ifndef SCALER_PROBE_PLAN_SITE_H
#define SCALER_PROBE_PLAN_SITE_H

#include "code/probe_entry.h"
#include "probe/plan.h"

/*
 * Reads it from the function's file; NULL if that could not be opened. Sets where the probe is to be and the
 * kind of site, or omits the function if a probe would be refused: known in advance, that saves rounds of halving.
 */
void plan_site_read(struct plan_function *function, struct probe_entries *entries);

/* Of the probe, in the file. */
uint64_t plan_site_offset(const struct plan_function *function);

#endif
