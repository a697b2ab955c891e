/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a probe costs the program that runs into it, besides what its BPF program takes: measured on functions of the
 * tracer's own, because it is the machine's.
 */
#ifndef SCALER_PROBE_PROBE_COST_H
#define SCALER_PROBE_PROBE_COST_H

#include <stddef.h>
#include <stdint.h>

#include "code/probe_site.h"

/* By the kind of instruction that the probe is on. */
struct probe_costs {
	uint32_t entry_ns[PROBE_SITE_KINDS];
	uint32_t exit_ns;                     /* of a return instruction, which is stepped */
	uint32_t within_ns[PROBE_SITE_KINDS]; /* of an entry and an exit, what is between the two programs */
	uint32_t other_link_ns; /* more for each other process in which the same function is probed */
};

struct probe_cost_program {
	int fd;             /* of the program that does nothing; with a cookie of 1 it is at an exit */
	uint64_t *least_ns; /* where it keeps the least time that it has seen between an entry and an exit */
};

#define PROBE_COST_LINKS 9

/* Descriptors of links, which are slow to close and cost nobody anything. */
struct probe_cost_links {
	int items[PROBE_COST_LINKS];
	size_t count;
};

/* Measures for some milliseconds. Returns 0 or a negative errno; the caller closes the links in both cases. */
int probe_cost_measure(struct probe_costs *costs, const struct probe_cost_program *program,
		       struct probe_cost_links *links);

#endif
