/* SPDX-License-Identifier: GPL-2.0-only */
/* Which functions' calls do not end as others do, so that exits in their code tell nothing. */
#ifndef SCALER_PLAN_CALL_ENDS_H
#define SCALER_PLAN_CALL_ENDS_H

#include "plan/plan_reason.h"

/* Of a function with that name, wherever it is: PLAN_TIMED, or why not. */
enum plan_untimed call_ends_untimed(const char *name);

#endif
