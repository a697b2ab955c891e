/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on the library functions of a plan, in the processes that have their files mapped. */
#ifndef SCALER_PROBE_LIBRARY_PROBES_H
#define SCALER_PROBE_LIBRARY_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "probe/plan.h"

struct library_probes {
	int *links; /* owned; descriptors */
	size_t count;
	size_t capacity;
};

/* By their descriptors. */
struct library_programs {
	int entry_fd;
	int session_fd; /* for entries and returns; negative: calls are only counted */
};

/* Where. */
struct library_places {
	pid_t command;   /* in this process only, which has not yet mapped the files; 0: there is none */
	bool everywhere; /* in every process that maps them or will */
	bool returns;    /* functions' returns are to be probed, too */
};

/*
 * Attaches a program to each of the plan's functions, their numbers from 1 as cookies: that for returns, too, where it
 * does no harm. Those that cannot be probed are omitted from then on. Processes that have ended get none. Returns 0, or a negative errno with all detached.
 */
int library_probes_attach(struct library_probes *probes, const struct library_programs *programs,
			  struct plan *plan, const struct linked_files *files,
			  const struct library_places *places);

void library_probes_detach(struct library_probes *probes);

#endif
