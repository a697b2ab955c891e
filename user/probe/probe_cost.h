/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a probe costs the program that runs into it, besides what its BPF program takes: measured on functions of the
 * tracer's own, because it is the machine's.
 */
#ifndef SCALER_PROBE_PROBE_COST_H
#define SCALER_PROBE_PROBE_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target/probe_site.h"

/* By the kind of instruction that the probe is on. */
struct probe_costs {
	uint32_t entry_ns[PROBE_SITE_KINDS];
	uint32_t return_ns[PROBE_SITE_KINDS]; /* more, if the return is probed, too; 0: it never is */
	uint32_t within_ns[PROBE_SITE_KINDS]; /* of both, what is between the two programs */
	uint32_t
		exit_ns; /* more, if its exits are probed: what a return instruction takes, which is stepped */
	uint32_t exit_within_ns[PROBE_SITE_KINDS]; /* of an entry and an exit, the same */
	uint32_t other_link_ns; /* more for each other process in which the same function is probed */
};

struct probe_cost_program {
	/*
	 * The program that does nothing; with a cookie of 0 it asks for the return, if it is a session's, and with one of 2 it
	 * is at an exit.
	 */
	int fd;
	bool is_session;
	uint64_t *
		least_ns; /* where it keeps the least time that it has seen between an entry and a return or exit */
};

#define PROBE_COST_LINKS 12

/* Descriptors of links, which are slow to close and cost nobody anything. */
struct probe_cost_links {
	int items[PROBE_COST_LINKS];
	size_t count;
};

/* Measures for some milliseconds. Returns 0 or a negative errno; the caller closes the links in both cases. */
int probe_cost_measure(struct probe_costs *costs, const struct probe_cost_program *program,
		       struct probe_cost_links *links);

#endif
