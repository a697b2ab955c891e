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

/* Where. */
struct library_places {
	pid_t command;   /* in this process only, which has not yet mapped the files; 0: there is none */
	bool everywhere; /* in every process that maps them or will */
};

/*
 * Attaches the program to the plan's functions, their numbers from 1 as cookies. Those that cannot be probed are
 * omitted from then on. Processes that have ended get none. Returns 0, or a negative errno with all detached.
 */
int library_probes_attach(struct library_probes *probes, int program_fd, struct plan *plan,
			  const struct linked_files *files, const struct library_places *places);

void library_probes_detach(struct library_probes *probes);

#endif
