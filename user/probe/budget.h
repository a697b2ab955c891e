/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions' probes are to go so that all together cost the program no more than a share of its own running
 * time. It may be overrun for a while: the budget is a bucket that costs fill and the program's running empties, and
 * probes go, the most expensive of late first, when it flows over.
 */
#ifndef SCALER_PROBE_BUDGET_H
#define SCALER_PROBE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the probes of one function may run up on one CPU, and those of all functions everywhere. */
#define BUDGET_FUNCTION_BURST_NS 20000000
#define BUDGET_BURST_NS          50000000

struct budget_function {
	uint64_t cost_ns;   /* since the beginning; the caller's */
	uint64_t seen_ns;   /* of that, by the latest look */
	uint64_t recent_ns; /* of the latest look, half of that of the look before, and so on */
	bool is_out;        /* its probes are, or are to be, taken out; the caller may set it, too */
};

struct budget {
	double share; /* of the program's own running time; 0: there is no limit */
	uint64_t overrun_ns;
	uint64_t running_seen_ns;
	uint64_t recent_own_ns;            /* running time less the probes', weighed as above */
	struct budget_function *functions; /* owned */
	size_t count;
};

/* Returns 0 or -ENOMEM. */
int budget_make(struct budget *budget, double share, size_t functions);
void budget_clear(struct budget *budget);

/*
 * Looks at what probes have cost, by when the program has run for so long, their cost included. Sets is_out of those
 * that are to go. Returns how many.
 */
size_t budget_look(struct budget *budget, uint64_t running_ns);

/* Of a time that includes the probes', as the kernel side reckons it: in 1,024ths, at least 1; 0: there is no limit. */
uint32_t budget_share_of_whole(double share);

#endif
