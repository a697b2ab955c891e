// SPDX-License-Identifier: GPL-2.0-only
/* Sums of the threads' times, in system calls and running outside of them. */
#include "analysis/time_figures.h"

static uint64_t difference(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

void time_figures_add_call(struct time_figures *sum, const struct profile_call *call)
{
	const struct scaler_call_id *id = &call->key.id;
	const struct scaler_call_stats *stats = &call->stats;
	const struct scaler_partial_calls *partial = &stats->partial;
	uint64_t runnable_ns = stats->runnable_ns + partial->runnable_ns;
	uint64_t blocked_ns = stats->blocked_ns + partial->blocked_ns;
	/* The states are exact; a call's total is by the clocks of two CPUs, which may disagree. */
	uint64_t running_ns = difference(stats->total_ns + partial->total_ns, runnable_ns + blocked_ns);
	struct time_figures figures = {
		.total_ns = running_ns + runnable_ns + blocked_ns,
		.time_ns = { [SCALER_RUNNING] = running_ns,
			     [SCALER_RUNNABLE] = runnable_ns,
			     [SCALER_BLOCKED] = blocked_ns },
		.calls = stats->count + partial->count,
		.errors = stats->errors,
	};

	sampled_sums_add_row(&figures.calls_sampled, stats);
	call_sum_add(&figures.categories[syscall_category(id->abi, id->number, id->descriptor)], &figures);
	time_figures_add(sum, &figures);
}

void time_figures_add_samples(struct time_figures *sum, uint64_t samples, uint64_t running_ns)
{
	sum->total_ns += running_ns;
	sum->time_ns[SCALER_RUNNING] += running_ns;
	sum->samples += samples;
	sum->sampled_ns += running_ns;
}

void time_figures_add(struct time_figures *sum, const struct time_figures *more)
{
	sum->total_ns += more->total_ns;
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		sum->time_ns[state] += more->time_ns[state];
	sum->calls += more->calls;
	sum->errors += more->errors;
	sum->samples += more->samples;
	sum->sampled_ns += more->sampled_ns;
	sampled_sums_add(&sum->calls_sampled, &more->calls_sampled);
	for (int category = 0; category < CATEGORY_COUNT; category++) {
		sum->categories[category].calls += more->categories[category].calls;
		sum->categories[category].total_ns += more->categories[category].total_ns;
		sum->categories[category].blocked_ns += more->categories[category].blocked_ns;
	}
}

void call_sum_add(struct call_sum *sum, const struct time_figures *more)
{
	sum->calls += more->calls;
	sum->total_ns += more->total_ns;
	sum->blocked_ns += more->time_ns[SCALER_BLOCKED];
}

uint64_t time_figures_value(const struct time_figures *figures, enum sort_key sort)
{
	switch (sort) {
	case SORT_RUNNING:
		return figures->time_ns[SCALER_RUNNING];
	case SORT_RUNNABLE:
		return figures->time_ns[SCALER_RUNNABLE];
	case SORT_BLOCKED:
		return figures->time_ns[SCALER_BLOCKED];
	case SORT_CALLS:
		return figures->calls;
	case SORT_ERRORS:
		return figures->errors;
	default:
		return figures->total_ns;
	}
}
