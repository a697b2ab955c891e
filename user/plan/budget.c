// SPDX-License-Identifier: GPL-2.0-only
/* Which functions' probes are to go: a leaky bucket over all of them. */
#include "plan/budget.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int budget_make(struct budget *budget, double share, size_t functions, const struct scaler_spending *now)
{
	*budget = (struct budget){
		.share = share,
		.first = *now,
		.last = *now,
		.functions = calloc(functions + 1, sizeof(*budget->functions)),
		.count = functions,
	};
	return budget->functions ? 0 : -ENOMEM;
}

void budget_clear(struct budget *budget)
{
	free(budget->functions);
	*budget = (struct budget){ 0 };
}

double budget_burst_ns(const struct scaler_spending *first, const struct scaler_spending *now)
{
	const struct scaler_spending since = scaler_spending_since(first, now);
	double cpus = since.time_ns ? (double)since.running_ns / (double)since.time_ns : 0;

	return BUDGET_BURST_NS * fmax(cpus, 1);
}

double budget_left(double share, double own_ns, double fixed_ns, double rival_ns)
{
	double both = own_ns > 0 ? share - fixed_ns / own_ns : share;

	return own_ns > 0 ? fmax(both - rival_ns / own_ns, both / 2) : share;
}

/* What probes are allowed to take of what the threads run themselves. */
static double find_allowed_ns(double share, const struct scaler_spending *since, double own_ns)
{
	double calls_ns = (double)since->spent_ns[SCALER_COST_CALLS];
	double fixed_ns = (double)scaler_spending_sum_ns(since) - calls_ns -
			  (double)since->spent_ns[SCALER_COST_PROBES];

	return fmax(budget_left(share, own_ns, fixed_ns, calls_ns), 0) * own_ns;
}

/* So much of what they may take is used by those that stay, so that the bucket gets empty. */
#define CAREFUL 0.85

/* After that time half of what was counts as of late. */
#define HALF_LIFE_NS 25000000

/* kept: of what was before. Returns what was spent since the latest look on probes that are being taken out. */
static uint64_t note_costs(struct budget *budget, double kept)
{
	uint64_t going_ns = 0;

	for (size_t i = 0; i < budget->count; i++) {
		struct budget_function *function = &budget->functions[i];
		uint64_t fresh_ns = function->cost_ns - function->seen_ns;

		function->seen_ns = function->cost_ns;
		function->recent_ns = function->is_out ? 0 : function->recent_ns * kept + (double)fresh_ns;
		going_ns += function->is_out ? fresh_ns : 0;
	}
	return going_ns;
}

/* NULL: none costs anything. */
static struct budget_function *find_dearest(struct budget *budget)
{
	struct budget_function *dearest = NULL;

	for (size_t i = 0; i < budget->count; i++) {
		struct budget_function *function = &budget->functions[i];

		if (!function->is_out && function->recent_ns > (dearest ? dearest->recent_ns : 0))
			dearest = function;
	}
	return dearest;
}

/* Until what the others have cost of late is less than they were allowed. */
static size_t take_out_dearest(struct budget *budget)
{
	double left_ns = 0;
	size_t taken = 0;

	for (size_t i = 0; i < budget->count; i++)
		left_ns += budget->functions[i].recent_ns;
	while (left_ns > CAREFUL * budget->allowed_ns) {
		struct budget_function *dearest = find_dearest(budget);

		if (!dearest)
			break;
		dearest->is_out = true;
		left_ns -= dearest->recent_ns;
		/* What it costs the threads will run themselves. */
		budget->allowed_ns += budget->share * dearest->recent_ns;
		taken++;
	}
	return taken;
}

size_t budget_look(struct budget *budget, const struct scaler_spending *now, double burst_ns)
{
	const struct scaler_spending since = scaler_spending_since(&budget->last, now);
	double kept = exp2(-(double)since.time_ns / HALF_LIFE_NS);
	double own_ns = (double)scaler_spending_own_ns(&since);
	/* When those are gone, the threads run so much more themselves. */
	double more_ns = own_ns + (double)note_costs(budget, kept);

	budget->last = *now;
	budget->own_ns = budget->own_ns * kept + more_ns;
	budget->allowed_ns = budget->allowed_ns * kept + find_allowed_ns(budget->share, &since, more_ns);
	budget->overrun_ns = fmax(budget->overrun_ns + (double)since.spent_ns[SCALER_COST_PROBES] -
					  find_allowed_ns(budget->share, &since, own_ns),
				  0);
	return budget->share > 0 && budget->overrun_ns > burst_ns ? take_out_dearest(budget) : 0;
}

/* What a moment's cost has to be to say something. */
#define SCREENED_LEAST_NS 50000

size_t budget_screen(struct budget *budget, size_t first, const double *costs_ns, size_t count, double own_ns)
{
	double allowed_ns = fmax(budget->share * own_ns, SCREENED_LEAST_NS), left_ns = 0;
	size_t taken = 0;

	for (size_t i = 0; i < count; i++)
		left_ns += budget->functions[first + i].is_out ? 0 : costs_ns[i];
	while (budget->share > 0 && left_ns > allowed_ns) {
		size_t dearest = count;

		for (size_t i = 0; i < count; i++) {
			if (!budget->functions[first + i].is_out &&
			    (dearest == count || costs_ns[i] > costs_ns[dearest]))
				dearest = i;
		}
		budget->functions[first + dearest].is_out = true;
		left_ns -= costs_ns[dearest];
		taken++;
	}
	return taken;
}

double budget_spare(const struct budget *budget)
{
	double staying_ns = 0, spare;

	for (size_t i = 0; i < budget->count; i++)
		staying_ns += budget->functions[i].recent_ns;
	spare = budget->own_ns > 0 ? (budget->allowed_ns - staying_ns) / budget->own_ns : budget->share;
	spare = fmax(spare, 0) * CAREFUL;
	return budget->overrun_ns > 0 ? spare / 2 : spare;
}

uint32_t budget_share_of_whole(double share)
{
	uint32_t parts = (uint32_t)(1024 * share / (1 + share));

	return share > 0 && !parts ? 1 : parts;
}
