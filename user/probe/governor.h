/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps the cost of probes on library functions within a share of what the program runs itself: takes the probes of
 * functions out that cost too much, by themselves, which the kernel side notices, or together.
 */
#ifndef SCALER_PROBE_GOVERNOR_H
#define SCALER_PROBE_GOVERNOR_H

#include <stdint.h>
#include <sys/types.h>

#include "probe/library_probes.h"

struct governor;

/* How often it is to look at what all functions have cost. */
#define GOVERNOR_PERIOD_NS 100000000

/*
 * Of probes that have been attached, which outlive it. share is of the program's own running
 * time, 0 for no limit. Returns 0 or a negative errno.
 */
int governor_open(struct governor **governor, struct library_probes *probes, double share);

/* A process that has got probes later. Returns 0 or -ENOMEM. */
int governor_add_process(struct governor *governor, pid_t pid);
/* It has ended. */
void governor_forget_process(struct governor *governor, pid_t pid);

/* Looks at the costs, and takes probes out. Returns 0 or a negative errno. */
int governor_look(struct governor *governor);

/* What all probes have cost the program so far, and for how long it has run meanwhile, that included. */
void governor_read(struct governor *governor, uint64_t *probes_ns, uint64_t *running_ns);

void governor_close(struct governor *governor);

#endif
