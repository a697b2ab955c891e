// SPDX-License-Identifier: GPL-2.0-only
/* Which functions' probes are to go: a leaky bucket over all of them. */
#include "probe/budget.h"

#include <errno.h>
#include <stdlib.h>

int budget_make(struct budget *budget, double share, size_t functions)
{
	*budget = (struct budget){
		.share = share,
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

/* What was spent since the latest look: on all probes, and of that on those that are still there. */
static uint64_t note_costs(struct budget *budget, uint64_t *kept_ns)
{
	uint64_t spent_ns = 0;

	*kept_ns = 0;
	for (size_t i = 0; i < budget->count; i++) {
		struct budget_function *function = &budget->functions[i];
		uint64_t fresh_ns = function->cost_ns - function->seen_ns;

		function->seen_ns = function->cost_ns;
		function->recent_ns = function->is_out ? 0 : function->recent_ns / 2 + fresh_ns;
		spent_ns += fresh_ns;
		*kept_ns += function->is_out ? 0 : fresh_ns;
	}
	return spent_ns;
}

static struct budget_function *find_dearest(struct budget *budget)
{
	struct budget_function *dearest = NULL;

	for (size_t i = 0; i < budget->count; i++) {
		struct budget_function *function = &budget->functions[i];

		if (!function->is_out && (!dearest || function->recent_ns > dearest->recent_ns))
			dearest = function;
	}
	return dearest;
}

/* Until what the others have cost of late is within the share of what the program ran meanwhile. */
static size_t take_out_dearest(struct budget *budget)
{
	uint64_t left_ns = 0, allowed_ns = (uint64_t)((double)budget->recent_own_ns * budget->share);
	size_t taken = 0;

	for (size_t i = 0; i < budget->count; i++)
		left_ns += budget->functions[i].recent_ns;
	while (left_ns > allowed_ns) {
		struct budget_function *dearest = find_dearest(budget);

		dearest->is_out = true;
		left_ns -= dearest->recent_ns;
		taken++;
	}
	if (taken)
		budget->overrun_ns = 0;
	return taken;
}

size_t budget_look(struct budget *budget, uint64_t running_ns)
{
	uint64_t kept_ns, spent_ns = note_costs(budget, &kept_ns),
			  ran_ns = running_ns - budget->running_seen_ns;
	uint64_t own_ns = ran_ns > spent_ns ? ran_ns - spent_ns : 0, earned_ns, filled_ns;

	budget->running_seen_ns = running_ns;
	budget->recent_own_ns = budget->recent_own_ns / 2 + own_ns;
	earned_ns = (uint64_t)((double)own_ns * budget->share);
	filled_ns = budget->overrun_ns + kept_ns;
	budget->overrun_ns = filled_ns > earned_ns ? filled_ns - earned_ns : 0;
	if (budget->share <= 0 || budget->overrun_ns <= BUDGET_BURST_NS)
		return 0;
	return take_out_dearest(budget);
}

uint32_t budget_share_of_whole(double share)
{
	uint32_t parts = (uint32_t)(1024 * share / (1 + share));

	return share > 0 && !parts ? 1 : parts;
}
