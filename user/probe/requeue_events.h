/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracepoint of the one system call that moves threads from one futex to another. */
#ifndef SCALER_PROBE_REQUEUE_EVENTS_H
#define SCALER_PROBE_REQUEUE_EVENTS_H

struct scaler_skeleton;

/* If its program is loaded. Where the tracepoint cannot be had it says so, and waits stay on the futex that they began on. */
void requeue_events_attach(struct scaler_skeleton *skeleton);

#endif
