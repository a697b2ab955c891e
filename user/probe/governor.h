/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps the cost of probes on library functions within what they may take: takes the probes of functions out that cost
 * most, as soon as the kernel side notices that all together cost too much, or a look now and then does.
 */
#ifndef SCALER_PROBE_GOVERNOR_H
#define SCALER_PROBE_GOVERNOR_H

#include "probe/library_probes.h"

struct governor;

/* How often it is to look at what all functions have cost. */
#define GOVERNOR_PERIOD_NS 100000000

/*
 * Of probes, attached or to be, which outlive it. share is of what the threads run themselves, 0 for no limit. Returns 0
 * or a negative errno.
 */
int governor_open(struct governor **governor, struct library_probes *probes, double share);

/* Looks at the costs, and takes probes out. Returns 0 or a negative errno. */
int governor_look(struct governor *governor);

void governor_close(struct governor *governor);

#endif
