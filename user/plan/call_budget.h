/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much of the time system calls may be recorded, so that all that the tracer takes stays within a share of what the
 * threads run themselves. A bucket is filled by what is spent and emptied by that share; when it flows over, calls are
 * recorded in windows from then on, of such a weight that the share is kept and the bucket gets empty again.
 */
#ifndef SCALER_PLAN_CALL_BUDGET_H
#define SCALER_PLAN_CALL_BUDGET_H

#include <stdint.h>

#include <scaler/cost.h>

/* Beyond that calls are recorded nearly never, and windows would be rarer than anybody waits for. */
#define CALL_BUDGET_MOST_WEIGHT 64

struct call_budget {
	double share;      /* 0: there is no limit */
	double overrun_ns; /* what is in the bucket */
	struct scaler_spending first, last;
	/* Of late: half of what was before with each look. */
	double own_ns;
	double probes_ns;       /* spent on probes */
	double others_ns;       /* on all but these and calls */
	double recorded_own_ns; /* of own_ns: while calls were recorded */
	double calls_ns;        /* spent on calls in that time */
	uint32_t weight;        /* 1: they are recorded all the time */
	uint32_t cheap;         /* looks in turn by which all calls could be recorded */
};

/* now: from when on it counts. */
void call_budget_make(struct call_budget *budget, double share, const struct scaler_spending *now);

/* By what was spent up to now: it was recorded all the time since the last look. Returns the weight from now on. */
uint32_t call_budget_look(struct call_budget *budget, const struct scaler_spending *now);
/* The same at the end of a period in which it was recorded from the one to the other only. */
uint32_t call_budget_look_at_window(struct call_budget *budget, const struct scaler_spending *opened,
				    const struct scaler_spending *closed, const struct scaler_spending *now);

#endif
