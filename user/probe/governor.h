/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps the cost of probes on library functions within what they may take: takes the probes of functions out that cost
 * most, as soon as the kernel side notices that all together cost too much, or a look now and then does. From then on those
 * have probes in windows.
 */
#ifndef SCALER_PROBE_GOVERNOR_H
#define SCALER_PROBE_GOVERNOR_H

#include <scaler/call_window.h>

#include "probe/library_probes.h"

struct governor;

/*
 * Of probes, attached or to be, which outlive it. share is of what the threads run themselves, 0 for no limit. Returns 0
 * or a negative errno.
 */
int governor_open(struct governor **governor, struct library_probes *probes, double share);

/* What is to be seen from the first moment on begins now, unless it has; else with the first look. Returns 0 or a negative errno. */
int governor_begin(struct governor *governor);

/*
 * Looks at the costs, takes probes out, and opens windows for what has none. Returns 0 or a negative errno, and in *next_ns
 * when it is to look again at the latest, CLOCK_MONOTONIC.
 */
int governor_look(struct governor *governor, uint64_t *next_ns);

/* What is known of the windows by now. */
struct scaler_sampling governor_sampling(struct governor *governor);

/* Opens no more windows, and closes the one that is open: before the probes are detached. */
void governor_stop(struct governor *governor);

/* governor may be NULL. */
void governor_close(struct governor *governor);

#endif
