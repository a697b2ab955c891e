/* SPDX-License-Identifier: GPL-2.0-only */
/* The file in which a process names the code that it generates: /tmp/perf-PID.map, by the convention that perf has set. */
#ifndef SCALER_TARGET_PERF_MAP_H
#define SCALER_TARGET_PERF_MAP_H

#include <scaler/component.h>

/*
 * Opens the map of the process whose generated code the component is, as that process sees /tmp if it still lives. Returns a
 * descriptor that the caller closes; -ENOENT: it has written none; -EPERM: it is not a file of the process's user, or has other
 * names; -ESTALE: it is older than the process; or another negative errno.
 */
int perf_map_open(const struct scaler_component *generated);

#endif
