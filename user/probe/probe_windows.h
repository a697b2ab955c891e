/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows in which functions have probes that would cost too much all the time: links that are opened at random times, once
 * in a period, and closed some milliseconds later by a thread that does nothing else. What is recorded in one stands for as
 * much as the threads run themselves meanwhile, in the period and in the window: the probes slow them down in that, and all
 * that is known of what probes take is taken out. Periods are as long as it takes to earn what a window costs.
 */
#ifndef SCALER_PROBE_PROBE_WINDOWS_H
#define SCALER_PROBE_PROBE_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include <scaler/call_window.h>

#include "probe/library_probes.h"

struct probe_windows;

/* Of probes that outlive them. NULL: there can be none, and what costs too much is not recorded. */
struct probe_windows *probe_windows_open(struct library_probes *probes);

/*
 * Adds the plan's function of that index, whose probes have been taken out; may_return: it may be taken out again. Returns
 * 0 or -ENOMEM.
 */
int probe_windows_add(struct probe_windows *windows, size_t function, bool may_return);

/*
 * The recording is about to begin, and what it begins with is to be seen: opens a window at once for those that there are.
 * Returns 0 or a negative errno.
 */
int probe_windows_begin(struct probe_windows *windows);

/*
 * Takes out one that windows have shown to cost so little that it may have probes all the time, which it has in *index: no
 * more than *room of what the threads run themselves, which is less by that then. Returns whether there is one.
 */
bool probe_windows_take(struct probe_windows *windows, double *room, size_t *index);

/*
 * Opens a window if it is time to. share: what windows may take of what the threads run themselves. Returns 0 or a
 * negative errno, and in *next_ns when it is to be called again, CLOCK_MONOTONIC.
 */
int probe_windows_look(struct probe_windows *windows, double share, uint64_t *next_ns);

/* Up to now; for any thread. */
struct scaler_sampling probe_windows_read(struct probe_windows *windows);

/* Closes the window that is open, and opens no more. windows may be NULL. */
void probe_windows_stop(struct probe_windows *windows);
void probe_windows_close(struct probe_windows *windows);

#endif
