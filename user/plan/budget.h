/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions' probes are to go so that all that the tracer takes stays within a share of what the threads run
 * themselves. That may be overrun for a while: the budget is a bucket that costs fill and the threads' running empties,
 * and probes go, the most expensive of late first, when it flows over.
 */
#ifndef SCALER_PLAN_BUDGET_H
#define SCALER_PLAN_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scaler/cost.h>

/* What may be run up on each of the CPUs that the threads keep busy on average. */
#define BUDGET_BURST_NS 20000000

struct budget_function {
	uint64_t cost_ns;  /* since the beginning; the caller's */
	uint64_t seen_ns;  /* of that, by the latest look */
	double recent_ns;  /* of late: the longer ago, the less counts */
	bool has_returned; /* it was out, and is or was not any more; the caller's */
	bool is_out;       /* its probes are, or are to be, taken out; the caller may set it, too */
};

struct budget {
	double share;      /* 0: there is no limit */
	double overrun_ns; /* what is in the bucket */
	double allowed_ns; /* of late: what probes were allowed to take, and what the threads ran themselves */
	double own_ns;
	struct scaler_spending first, last;
	struct budget_function *functions; /* owned */
	size_t count;
};

/* now: from when on it counts. Returns 0 or -ENOMEM. */
int budget_make(struct budget *budget, double share, size_t functions, const struct scaler_spending *now);
void budget_clear(struct budget *budget);

/*
 * What part of what the threads ran themselves is left for probes, or for system calls: each may take what the other,
 * the rival, leaves of what is not fixed, and both have a right to half.
 */
double budget_left(double share, double own_ns, double fixed_ns, double rival_ns);

/* How much may be run up, by what the threads ran from the one to the other. */
double budget_burst_ns(const struct scaler_spending *first, const struct scaler_spending *now);

/*
 * Looks at what was spent up to now. If that has overrun the budget by more than burst_ns, sets is_out of those that are
 * to go, so that what the others cost of late empties the bucket. Returns how many.
 */
size_t budget_look(struct budget *budget, const struct scaler_spending *now, double burst_ns);

/*
 * The same of count functions from number first on, by what each would have cost in a moment in which the threads ran
 * for own_ns themselves: what they may cost all together, others may, too.
 */
size_t budget_screen(struct budget *budget, size_t first, const double *costs_ns, size_t count,
		     double own_ns);

/*
 * What part of what the threads run themselves is left, by what all has cost of late, for more probes than those that stay:
 * while the budget is overrun, half of it.
 */
double budget_spare(const struct budget *budget);

/* Of a time that includes the probes', as the kernel side reckons it: in 1,024ths, at least 1; 0: there is no limit. */
uint32_t budget_share_of_whole(double share);

#endif
