/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on the library functions of a plan, in the processes that have their files mapped. */
#ifndef SCALER_PROBE_LIBRARY_PROBES_H
#define SCALER_PROBE_LIBRARY_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "probe/library_kernel.h"
#include "probe/plan.h"
#include "probe/probe_cost.h"

/* Which functions' returns are to be probed, too. */
enum return_probes {
	RETURN_PROBES_SAFE, /* where that is harmless */
	RETURN_PROBES_NONE,
	RETURN_PROBES_ALL, /* wherever the function itself does not break: programs may end by it */
};

/* Where. */
struct library_places {
	pid_t command;   /* in this process only, which has not yet mapped the files; 0: there is none */
	bool everywhere; /* in every process that maps them or will */
	enum return_probes returns;
};

/* Some of a file's functions, probed in the same way in one process. */
struct library_link {
	uint32_t file; /* its number among the plan's */
	pid_t pid;     /* 0: everywhere */
	bool is_timed;
	int fd;
};

struct library_probes {
	struct library_link *links; /* owned */
	size_t count;
	size_t capacity;
	/* The rest is the caller's, and outlives them. */
	struct plan *plan;
	const struct linked_files *files;
	const struct library_kernel *kernel;
	struct library_places places;
	struct probe_costs costs;
};

/*
 * Attaches a program to each of the plan's functions, their numbers from 1 as cookies: that which decides at each call
 * whether the return is probed, too, if it may be anywhere. Those that cannot be probed are omitted from then on. Processes that have ended get none. All but the
 * links are filled in by the caller. Returns 0, or a negative errno with all detached.
 */
int library_probes_attach(struct library_probes *probes);

/*
 * Takes the probes out of those functions of a file that are unhooked by now. All others stay; calls of these that are
 * open just then may not be seen to return. Returns 0, or a negative errno with all as it was.
 */
int library_probes_relink(struct library_probes *probes, uint32_t file);

void library_probes_detach(struct library_probes *probes);

#endif
