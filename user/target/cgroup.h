/* SPDX-License-Identifier: GPL-2.0-only */
/* Control groups of the v2 hierarchy, wherever it is mounted. */
#ifndef SCALER_TARGET_CGROUP_H
#define SCALER_TARGET_CGROUP_H

#include <limits.h>
#include <stdint.h>

/*
 * Finds a cgroup by its folder, or by its path below the hierarchy's root, as /proc/PID/cgroup has it.
 * Tells its folder and its ID. Returns 0, -ENOENT, -ENODEV if no v2 hierarchy is mounted, or another negative errno.
 */
int cgroup_find(const char *path, char folder[PATH_MAX], uint64_t *id);

#endif
