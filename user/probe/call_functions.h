/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's functions for system calls, probed where it has no tracepoints for them. Neither calls without a function,
 * those with numbers that there are not, nor the ends of calls that a thread was in when they were attached are seen so.
 */
#ifndef SCALER_PROBE_CALL_FUNCTIONS_H
#define SCALER_PROBE_CALL_FUNCTIONS_H

struct scaler_skeleton;

/* Does nothing if their programs are not loaded. Returns 0 or a negative errno, with its own error. */
int call_functions_attach(struct scaler_skeleton *skeleton);

#endif
