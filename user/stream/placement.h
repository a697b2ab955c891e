/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places what the kernel side could not: calls whose site is an address yet, because they were under way
 * all the time, or because the kernel cannot look up mappings, or could not just then.
 */
#ifndef SCALER_STREAM_PLACEMENT_H
#define SCALER_STREAM_PLACEMENT_H

#include "model/profile.h"

/*
 * Gives sites without a component theirs, by the call's stack or by /proc/PID/maps; of a process that is gone, and
 * whose stack is not known, they stay as they are. All else of the profile has been read. Returns 0 or -ENOMEM.
 */
int placement_complete(struct profile *profile);

#endif
