// SPDX-License-Identifier: GPL-2.0-only
/* How much of the time system calls may be recorded: a leaky bucket, and what windows cost of late. */
#include "plan/call_budget.h"

#include <math.h>

#include "plan/budget.h"

/* So much of what it could be is used, so that the bucket gets empty. */
#define CAREFUL 0.85
/* All calls are recorded again when that has seemed possible for this number of windows. */
#define CHEAP_LOOKS 8
#define CHEAP_SHARE 0.7
/* Of what ran less than this nothing is learnt. */
#define LEAST_OWN_NS 10000

void call_budget_make(struct call_budget *budget, double share, const struct scaler_spending *now)
{
	*budget = (struct call_budget){ .share = share, .first = *now, .last = *now, .weight = 1 };
}

static double own_between_ns(const struct scaler_spending *before, const struct scaler_spending *after)
{
	return (double)scaler_spending_own_ns(after) - (double)scaler_spending_own_ns(before);
}

static double spent_between_ns(const struct scaler_spending *before, const struct scaler_spending *after,
			       enum scaler_cost_kind kind)
{
	return (double)(after->spent_ns[kind] - before->spent_ns[kind]);
}

/*
 * In what part of the time calls can be recorded; above 1: more than all of it. While they are, the threads get on
 * by so much less that it is not the part of their work.
 */
static double find_part(const struct call_budget *budget)
{
	double share = budget_left(budget->share, budget->own_ns, budget->others_ns, budget->probes_ns);
	double running_ns = budget->recorded_own_ns + budget->calls_ns;

	if (share <= 0)
		return 0;
	return budget->calls_ns > 0 ? share / (1 + share) * running_ns / budget->calls_ns : INFINITY;
}

static uint32_t find_weight(const struct call_budget *budget)
{
	double weight = 1 / (find_part(budget) * CAREFUL);

	/* The target sleeps, which says nothing. */
	if (budget->own_ns < LEAST_OWN_NS)
		return budget->weight;
	if (!(weight < CALL_BUDGET_MOST_WEIGHT))
		return CALL_BUDGET_MOST_WEIGHT;
	return weight > 2 ? (uint32_t)ceil(weight) : 2;
}

static void note(struct call_budget *budget, const struct scaler_spending *opened,
		 const struct scaler_spending *closed, const struct scaler_spending *now)
{
	double spent_ns = (double)(scaler_spending_sum_ns(now) - scaler_spending_sum_ns(&budget->last));
	double calls_ns = spent_between_ns(&budget->last, now, SCALER_COST_CALLS);
	double probes_ns = spent_between_ns(&budget->last, now, SCALER_COST_PROBES);
	double own_ns = own_between_ns(&budget->last, now);

	if (own_ns < 0)
		own_ns = 0;
	budget->own_ns = budget->own_ns / 2 + own_ns;
	budget->probes_ns = budget->probes_ns / 2 + probes_ns;
	budget->others_ns = budget->others_ns / 2 + spent_ns - calls_ns - probes_ns;
	budget->recorded_own_ns = budget->recorded_own_ns / 2 + fmax(own_between_ns(opened, closed), 0);
	budget->calls_ns = budget->calls_ns / 2 + spent_between_ns(opened, closed, SCALER_COST_CALLS);
	budget->overrun_ns = fmax(budget->overrun_ns + spent_ns - own_ns * budget->share, 0);
	budget->last = *now;
}

uint32_t call_budget_look(struct call_budget *budget, const struct scaler_spending *now)
{
	const struct scaler_spending before = budget->last;

	note(budget, &before, now, now);
	budget->weight = 1;
	if (budget->share <= 0 || budget->overrun_ns <= budget_burst_ns(&budget->first, now))
		return 1;
	/* Others alone may have spent it. */
	if (find_part(budget) < 1)
		budget->weight = find_weight(budget);
	budget->cheap = 0;
	return budget->weight;
}

uint32_t call_budget_look_at_window(struct call_budget *budget, const struct scaler_spending *opened,
				    const struct scaler_spending *closed, const struct scaler_spending *now)
{
	note(budget, opened, closed, now);
	budget->cheap =
		find_part(budget) * CHEAP_SHARE > 1 && budget->overrun_ns <= 0 ? budget->cheap + 1 : 0;
	budget->weight = budget->cheap < CHEAP_LOOKS ? find_weight(budget) : 1;
	return budget->weight;
}
