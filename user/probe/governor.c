// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the cost of probes within the budget. */
#include "probe/governor.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "plan/budget.h"
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
	struct library_gate gate;
	bool is_looking;
	bool has_begun;
};

/* What all have cost by now. */
static void read_costs(struct governor *governor)
{
	for (size_t i = 0; i < governor->probes->plan->function_count; i++) {
		struct budget_function *function = &governor->budget.functions[i];

		function->cost_ns = library_kernel_cost_ns(governor->kernel, i + 1);
		function->is_out |= governor->kernel->functions[i + 1].unhooked_ns != 0;
	}
}

/* Marks a function that costs too much, which has probes in windows from now on if there are such. */
static void unhook(struct governor *governor, size_t index, uint64_t now_ns)
{
	struct plan_function *function = &governor->probes->plan->functions[index];
	struct scaler_function *shared = &governor->kernel->functions[index + 1];

	governor->budget.functions[index].is_out = true;
	if (!shared->unhooked_ns)
		shared->unhooked_ns = now_ns;
	function->unhooked_ns = shared->unhooked_ns;
	if (governor->windows &&
	    !probe_windows_add(governor->windows, index, !governor->budget.functions[index].has_returned))
		function->is_windowed = function->is_sampled = true;
}

/* Marks those of a batch that are to be taken out, by the caller or later. Returns whether there are any. */
static bool note_unhooked(struct governor *governor, size_t first, bool later)
{
	const struct plan *plan = governor->probes->plan;
	uint64_t now_ns = clock_now_ns();
	bool has_any = false;

	for (size_t i = first; i < first + LIBRARY_BATCH && i < plan->function_count; i++) {
		if (!governor->budget.functions[i].is_out || plan->functions[i].unhooked_ns)
			continue;
		unhook(governor, i, now_ns);
		governor->probes->plan->functions[i].wants_relink = later;
		has_any = true;
	}
	return has_any;
}

static double burst_ns(const struct governor *governor)
{
	return budget_burst_ns(&governor->budget.first, &governor->budget.last);
}

/* Who has overrun the budget is watched more closely. */
#define LEAST_BURST_NS 1000000

static void tell_burst(const struct governor *governor)
{
	double left_ns = burst_ns(governor) - governor->budget.overrun_ns;

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
		if (note_unhooked(governor, first, false))
			err = library_probes_relink(governor->probes, first);
	}
	governor->is_looking = false;
	return err;
}

/* What part of what is left those get that turn out to cost little. */
#define PART_OF_RETURNING 0.25

/* Functions that windows show to cost little get their probes for good. */
static void let_return(struct governor *governor)
{
	double room = PART_OF_RETURNING * budget_spare(&governor->budget);
	uint64_t now_ns = clock_now_ns();
	size_t index;

	while (governor->windows && probe_windows_take(governor->windows, &room, &index)) {
		struct plan_function *function = &governor->probes->plan->functions[index];

		function->unhooked_ns = 0;
		function->is_windowed = false;
		function->since_ns = now_ns;
		function->wants_relink = true;
		governor->budget.functions[index].is_out = false;
		governor->budget.functions[index].has_returned = true;
		__atomic_store_n(&governor->kernel->functions[index + 1].unhooked_ns, 0, __ATOMIC_RELEASE);
	}
}

static int relink_wanted(struct governor *governor)
{
	struct plan *plan = governor->probes->plan;
	size_t functions = plan->function_count;
	int err = 0;

	for (size_t first = 0; first < functions && !err; first += LIBRARY_BATCH) {
		bool is_wanted = false;

		for (size_t i = first; i < first + LIBRARY_BATCH && i < functions; i++) {
			is_wanted |= plan->functions[i].wants_relink;
			plan->functions[i].wants_relink = false;
		}
		if (is_wanted)
			err = library_probes_relink(governor->probes, first);
	}
	return err;
}

int governor_begin(struct governor *governor)
{
	if (governor->has_begun)
		return 0;
	governor->has_begun = true;
	return governor->windows ? probe_windows_begin(governor->windows) : 0;
}

int governor_look(struct governor *governor, uint64_t *next_ns)
{
	uint64_t window_ns = UINT64_MAX;
	int err = governor_begin(governor);

	library_probes_settle(governor->probes);
	err = err ?: look(governor, burst_ns(governor));
	let_return(governor);
	err = err ?: relink_wanted(governor);
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

/* Those that cost too much in an earlier run have probes in windows at first. */
static int admit(void *context, uint32_t file, size_t first)
{
	struct governor *governor = context;
	struct plan *plan = governor->probes->plan;
	uint64_t now_ns = clock_now_ns();

	for (size_t i = first; i < plan->function_count && governor->windows; i++) {
		const struct plan_function *function = &plan->functions[i];

		if (function->file == file && function->was_costly && !function->omission &&
		    !function->unhooked_ns)
			unhook(governor, i, now_ns);
	}
	return 0;
}

/* For how long functions are watched whose probes nobody knows the cost of. */
#define SCREENING_NS 1000000
/* If it is timed, it has probes at its exits, too, which cost about as much. */
#define EXITS_TOO 2

static int screen(void *context, size_t first, size_t end, bool *is_hot)
{
	struct governor *governor = context;
	struct plan *plan = governor->probes->plan;
	struct scaler_spending before, since;
	double costs_ns[LIBRARY_BATCH];
	size_t count;

	if (end > plan->function_count)
		end = plan->function_count;
	count = end - first;
	for (size_t i = 0; i < count; i++)
		costs_ns[i] = (double)library_kernel_cost_ns(governor->kernel, first + i + 1);
	before = spending_read(governor->kernel->meter);
	nanosleep(&(const struct timespec){ .tv_nsec = SCREENING_NS }, NULL);
	since = spending_read(governor->kernel->meter);
	since = scaler_spending_since(&before, &since);
	for (size_t i = 0; i < count; i++) {
		struct plan_function *function = &plan->functions[first + i];

		costs_ns[i] = (double)library_kernel_cost_ns(governor->kernel, first + i + 1) - costs_ns[i];
		costs_ns[i] *= plan_untimed(function) ? 1 : EXITS_TOO;
		function->is_screened = true;
	}
	*is_hot = budget_screen(&governor->budget, first, costs_ns, count,
				(double)scaler_spending_own_ns(&since));
	/* Others may have them already, where they cost nothing just now, or it would have been noticed. */
	if (*is_hot)
		note_unhooked(governor, first / LIBRARY_BATCH * LIBRARY_BATCH, true);
	return 0;
}

/* What probes may have taken without a look while others are set. */
#define UNWATCHED_NS 200000

static int look_between(void *context)
{
	struct governor *governor = context;
	uint64_t spent_ns = spending_read(governor->kernel->meter).spent_ns[SCALER_COST_PROBES];

	if (governor->is_looking ||
	    spent_ns - governor->budget.last.spent_ns[SCALER_COST_PROBES] <= UNWATCHED_NS)
		return 0;
	return look(governor, burst_ns(governor));
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
	governor->gate = (struct library_gate){
		.admit = admit,
		.screen = screen,
		.look = look_between,
		.context = governor,
	};
	if (share > 0)
		probes->gate = &governor->gate;
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
	governor->probes->gate = NULL;
	probe_windows_close(governor->windows);
	budget_clear(&governor->budget);
	free(governor);
}
