/* SPDX-License-Identifier: GPL-2.0-only */
/* The exits of functions, where they are timed. */
#ifndef SCALER_PLAN_CALL_EXITS_H
#define SCALER_PLAN_CALL_EXITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"
#include "target/linked_files.h"

/*
 * Looks for those of the plan's functions of that file that are not known yet. At once: within some 40 ms, so that of
 * those not kept from an earlier run not all may be known then. With an fd below 0 nothing is found. Returns 0 or -ENOMEM.
 */
int call_exits_find(struct plan *plan, const struct linked_file *file, uint32_t number, int fd, bool at_once);

#endif
