// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the cost of probes within the budget. */
#include "probe/governor.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "probe/budget.h"
#include "probe/probe_windows.h"
#include "probe/spending.h"
#include "probe/uprobe_link.h"

/* How often it looks at what all functions have cost, if nothing else makes it. */
#define GOVERNOR_PERIOD_NS 100000000

struct governor {
	const struct library_kernel *kernel;
	struct library_probes *probes;
	struct budget budget;
	struct probe_windows *windows; /* NULL: what costs too much is not recorded any more */
	size_t screened; /* functions that have been watched as they got their probes, by number */
	bool is_looking;
};

/* What all have cost by now. */
static void read_costs(struct governor *governor)
{
	for (size_t i = 0; i < governor->probes->plan->function_count; i++) {
		struct budget_function *function = &governor->budget.functions[i];

		function->cost_ns = library_kernel_cost_ns(governor->kernel, i + 1);
		function->is_out |= governor->kernel->functions[i + 1].unhooked_ns != 0;
		function->was_costly = governor->probes->plan->functions[i].was_costly;
	}
}

/* Marks those of a batch that are to be taken out. Returns which kinds of links they are in. */
static uint32_t note_unhooked(struct governor *governor, size_t first)
{
	struct plan *plan = governor->probes->plan;
	uint64_t now_ns = clock_now_ns();
	uint32_t kinds = 0;

	for (size_t i = first; i < first + LIBRARY_BATCH && i < plan->function_count; i++) {
		struct scaler_function *shared = &governor->kernel->functions[i + 1];

		if (!governor->budget.functions[i].is_out || plan->functions[i].unhooked_ns)
			continue;
		if (!shared->unhooked_ns)
			shared->unhooked_ns = now_ns;
		plan->functions[i].unhooked_ns = shared->unhooked_ns;
		plan->functions[i].is_sampled = governor->windows && !probe_windows_add(governor->windows, i);
		kinds |= library_link_kinds(&plan->functions[i]);
	}
	return kinds;
}

static double burst_ns(const struct governor *governor)
{
	return budget_burst_ns(&governor->budget.first, &governor->budget.last);
}

/* Who has overrun the budget is watched more closely. */
#define LEAST_BURST_NS 1000000

static void tell_burst(const struct governor *governor)
{
	double burst = burst_ns(governor), left_ns;

	for (size_t i = 0; i < governor->budget.count; i++) {
		const struct budget_function *function = &governor->budget.functions[i];

		if (function->was_costly && !function->is_out) {
			burst *= BUDGET_COSTLY_PART;
			break;
		}
	}
	left_ns = burst - governor->budget.overrun_ns;

	__atomic_store_n(governor->kernel->burst_ns,
			 left_ns > LEAST_BURST_NS ? (uint64_t)left_ns : LEAST_BURST_NS, __ATOMIC_RELAXED);
}

/* Takes probes out if more than that was overrun. */
static int look(struct governor *governor, double most_ns)
{
	size_t functions = governor->probes->plan->function_count;
	struct scaler_spending now;
	int err = 0;

	governor->is_looking = true;
	read_costs(governor);
	now = spending_read(governor->kernel->meter);
	budget_look(&governor->budget, &now, most_ns);
	tell_burst(governor);
	for (size_t first = 0; first < functions && !err; first += LIBRARY_BATCH) {
		uint32_t kinds = note_unhooked(governor, first);

		if (kinds)
			err = library_probes_relink(governor->probes, first, kinds);
	}
	governor->is_looking = false;
	return err;
}

int governor_look(struct governor *governor, uint64_t *next_ns)
{
	uint64_t window_ns = UINT64_MAX;
	int err;

	library_probes_settle(governor->probes);
	err = look(governor, burst_ns(governor));
	if (!err && governor->windows)
		err = probe_windows_look(governor->windows, budget_spare(&governor->budget), &window_ns);
	*next_ns = clock_now_ns() + GOVERNOR_PERIOD_NS;
	if (*next_ns > window_ns)
		*next_ns = window_ns;
	return err;
}

struct scaler_sampling governor_sampling(struct governor *governor)
{
	const struct scaler_sampling none = { 0 };

	return governor->windows ? probe_windows_read(governor->windows) : none;
}

void governor_stop(struct governor *governor)
{
	probe_windows_stop(governor->windows);
}

/* For how long functions are watched that have just got probes, and what these may have taken meanwhile without a look. */
#define SCREENING_NS 1000000
#define SCREENED_NS  200000
/* The overrun by which one of them is known to cost too much. */
#define SCREENING_BURST_NS 1000000

static uint64_t spent_ns(const struct governor *governor)
{
	return spending_read(governor->kernel->meter).spent_ns[SCALER_COST_PROBES];
}

/* Functions that would cost too much are noticed before all others have probes. */
static int pace(void *context, size_t end)
{
	struct governor *governor = context;
	bool is_new = end > governor->screened;

	if (governor->budget.share <= 0 || governor->is_looking)
		return 0;
	if (is_new) {
		governor->screened = end;
		nanosleep(&(const struct timespec){ .tv_nsec = SCREENING_NS }, NULL);
	}
	return spent_ns(governor) - governor->budget.last.spent_ns[SCALER_COST_PROBES] > SCREENED_NS ?
		       look(governor, is_new ? SCREENING_BURST_NS : burst_ns(governor)) :
		       0;
}

int governor_open(struct governor **result, struct library_probes *probes, double share)
{
	struct governor *governor = calloc(1, sizeof(*governor));
	struct scaler_spending now;
	int err;

	if (!governor)
		return -ENOMEM;
	governor->kernel = probes->kernel;
	governor->probes = probes;
	probes->pace = pace;
	probes->pace_context = governor;
	now = spending_read(governor->kernel->meter);
	err = budget_make(&governor->budget, share, governor->kernel->function_count, &now);
	if (!err && share > 0 && uprobe_link_plain() != UPROBE_LINK_EVENT) {
		governor->windows = probe_windows_open(probes);
		err = governor->windows ? 0 : -ENOMEM;
	}
	if (err)
		governor_close(governor);
	else
		*result = governor;
	return err;
}

void governor_close(struct governor *governor)
{
	if (!governor)
		return;
	probe_windows_close(governor->windows);
	budget_clear(&governor->budget);
	free(governor);
}
