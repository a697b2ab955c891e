/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens and closes the windows in which system calls are recorded (call_window.h): a thread that looks at what was spent,
 * and where that is more than it may be attaches the programs of system calls for a moment at random times.
 */
#ifndef SCALER_PROBE_CALL_WINDOWS_H
#define SCALER_PROBE_CALL_WINDOWS_H

#include <stdbool.h>

#include <scaler/call_window.h>

#include "probe/spending.h"

struct call_windows;
struct scaler_skeleton;

struct call_windows_knobs {
	struct scaler_skeleton
		*skeleton; /* attached; its links of system calls are the windows' until they stop */
	struct spending_meter *meter;
	double share; /* of the threads' own running time */
};

/* Begins with a window that is open. NULL: calls are recorded all the time, because they are not followed by tracepoints, say. */
struct call_windows *call_windows_start(const struct call_windows_knobs *knobs);

/* Up to now. */
struct scaler_sampling call_windows_read(struct call_windows *windows);

/* No window is opened or closed any more. NULL: there is nothing to stop. */
void call_windows_stop(struct call_windows *windows);
void call_windows_free(struct call_windows *windows);

#endif
