/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on the library functions of a plan, in the processes that have their files mapped. */
#ifndef SCALER_PROBE_LIBRARY_PROBES_H
#define SCALER_PROBE_LIBRARY_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "plan/plan.h"
#include "plan/probe_refusals.h"
#include "probe/library_kernel.h"
#include "probe/library_links.h"
#include "probe/library_sharing.h"
#include "probe/probe_cost.h"
#include "probe/probed_files.h"
#include "probe/probed_places.h"

/* Where. */
struct library_places {
	pid_t command;    /* in this process only, which has not yet mapped the files; 0: there is none */
	bool everywhere;  /* in every process that maps them or will */
	bool counts_only; /* calls are not timed */
};

/*
 * Who sees to it that probes do not cost too much, and marks functions as unhooked that would. All return 0 or a negative
 * errno.
 */
struct library_gate {
	/* Before functions of the file get probes, from number first on: some may be known by now. */
	int (*admit)(void *context, uint32_t file, size_t first);
	/*
	 * Those from first to end have probes on their entries just now that record nothing: it waits for as long as it takes
	 * to see what they cost. Sets *is_hot if that is too much of some.
	 */
	int (*screen)(void *context, size_t first, size_t end, bool *is_hot);
	/* Others have probes now in a running process. */
	int (*look)(void *context);
	void *context;
};

/* As many probes at most, where each is a link of its own that takes the kernel 0.1 s to close. */
#define LIBRARY_EVENTS_MAX 200

struct library_probes {
	struct library_links links;
	struct probed_places places;
	size_t described; /* functions that the kernel side knows of */
	struct library_sharing sharing;
	struct probe_refusals refusals;
	struct probed_files probed_files;
	pid_t attaching; /* 0: nobody is attached to just now */
	/* The rest is the caller's, and outlives them. */
	struct plan *plan;
	const struct linked_files *files;
	const struct library_kernel *kernel;
	struct library_places where;
	const struct library_gate *gate; /* NULL: they may cost what they cost */
	struct probe_costs costs;
	struct probe_cost_links cost_links; /* that they were measured with; closed with the probes */
};

/*
 * Attaches programs to each of the plan's functions, their numbers from 1 as cookies. Those that cannot be probed are
 * omitted from then on. Processes that have ended get none. What is the caller's has been filled in. Returns 0, or a
 * negative errno with all detached; of them, -E2BIG says that it would be more than LIBRARY_EVENTS_MAX.
 */
int library_probes_attach(struct library_probes *probes);

/*
 * The same in one process, as far as it has none yet, after files or functions have been added or the process has begun.
 * Returns 0 or a negative errno; what is attached stays. -E2BIG: it would be more
 * than LIBRARY_EVENTS_MAX.
 */
int library_probes_attach_process(struct library_probes *probes, pid_t pid);

/*
 * Before a process gets probes, and when it runs another program or has other mappings: whether it, or a file in it, is to
 * have none. Those that are there are taken out, and nobody waits for that. Returns 0 or -ENOMEM.
 */
int library_probes_refuse(struct library_probes *probes, pid_t pid, enum probe_look how);

/*
 * Looks at other tracers' probes that are new, and takes ours out of the functions where both together would do harm.
 * Returns 0 or a negative errno.
 */
int library_probes_heed_others(struct library_probes *probes);

/* A process has ended, or another has its number now. */
void library_probes_forget(struct library_probes *probes, pid_t pid);

/*
 * Makes the links anew of those functions of a batch, from number first on, without those that are unhooked by now and with
 * those that are not any more, and waits for nothing: the others' probes are gone some milliseconds later. Calls that are
 * open just then may not be seen to return. Of files that cannot be opened any more, all functions are unhooked. Returns 0
 * or a negative errno, after which only detaching is left.
 */
int library_probes_relink(struct library_probes *probes, size_t first);

/* To be called now and then: what was taken out may be gone by now. */
void library_probes_settle(struct library_probes *probes);

/* Begins to take out all probes; the second waits until they are gone. */
void library_probes_detach(struct library_probes *probes);
void library_probes_close(struct library_probes *probes);

#endif
