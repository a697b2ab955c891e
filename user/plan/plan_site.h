/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function's first instructions say of a probe on it. */
#ifndef SCALER_PLAN_PLAN_SITE_H
#define SCALER_PLAN_PLAN_SITE_H

#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"

/*
 * Reads those of the plan's functions of that file from the first on that are not omitted; the fd is below 0 if it could not
 * be opened. Sets where the probe is to be and the kind of site, or omits the function if a probe would be refused: known in
 * advance, that saves rounds of halving. Returns 0 or -ENOMEM.
 */
int plan_sites_read(struct plan *plan, size_t first, uint32_t file, int fd);

/* Of the probe, in the file. */
uint64_t plan_site_offset(const struct plan_function *function);

#endif
