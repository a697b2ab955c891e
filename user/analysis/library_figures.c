// SPDX-License-Identifier: GPL-2.0-only
/* Sums of library calls. */
#include "analysis/library_figures.h"

#include "model/library.h"
#include "model/profile.h"

static uint64_t difference(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

static void add_times(struct scaler_times *sum, const struct scaler_times *more)
{
	sum->total_ns += more->total_ns;
	sum->runnable_ns += more->runnable_ns;
	sum->blocked_ns += more->blocked_ns;
}

enum sampled_rest library_figures_rest(const struct profile *profile, uint32_t number)
{
	const struct library_functions *functions = profile->functions;
	const struct library_function *function =
		functions && number && number <= functions->count ? &functions->items[number - 1] : NULL;

	if (!function || !function->unhooked_ns)
		return SAMPLED_NOTHING;
	return function->is_sampled && profile->library_sampling.windows ? SAMPLED_IN_WINDOWS :
									   SAMPLED_NO_MORE;
}

void library_figures_add(struct library_figures *sum, const struct scaler_call_stats *stats, bool nested)
{
	const struct scaler_partial_calls *partial = &stats->partial;
	const struct scaler_times total = {
		.total_ns = stats->total_ns + partial->total_ns,
		.runnable_ns = stats->runnable_ns + partial->runnable_ns,
		.blocked_ns = stats->blocked_ns + partial->blocked_ns,
	};
	/* A reading beside the calls can have an inner one that its caller has not yet. */
	const struct scaler_times self = {
		.total_ns = difference(total.total_ns, stats->inner.total_ns),
		.runnable_ns = difference(total.runnable_ns, stats->inner.runnable_ns),
		.blocked_ns = difference(total.blocked_ns, stats->inner.blocked_ns),
	};

	sum->calls += stats->count + stats->untimed + partial->count;
	sum->untimed += stats->untimed;
	sum->partial += partial->count;
	add_times(&sum->self, &self);
	sampled_sums_add_library_row(&sum->sampled, stats, nested);
	if (!nested)
		add_times(&sum->total, &total);
}

void library_figures_add_sum(struct library_figures *sum, const struct library_figures *more)
{
	sum->calls += more->calls;
	sum->untimed += more->untimed;
	sum->partial += more->partial;
	add_times(&sum->total, &more->total);
	add_times(&sum->self, &more->self);
	sampled_sums_add(&sum->sampled, &more->sampled);
}

uint64_t library_figures_value(const struct library_figures *figures, enum sort_key sort)
{
	const struct scaler_times *total = &figures->total;

	switch (sort) {
	case SORT_CALLS:
		return figures->calls;
	case SORT_RUNNING:
		return total->total_ns - total->runnable_ns - total->blocked_ns;
	case SORT_RUNNABLE:
		return total->runnable_ns;
	case SORT_BLOCKED:
		return total->blocked_ns;
	default:
		return total->total_ns;
	}
}
