// SPDX-License-Identifier: GPL-2.0-only
/* Groups of threads, or of processes, and functions, each with how much of its time was idle. */
#include "analysis/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/summary_idle.h"
#include "analysis/summary_waits.h"
#include "base/array.h"

/* How long threads of one name were blocked. */
struct blocked_time {
	char merged[SCALER_COMM_SIZE];
	uint64_t time_ns;
};

static int sum_blocked(const struct namings *own, struct distinct *blocked)
{
	for (size_t i = 0; i < own->count; i++) {
		size_t at = distinct_add(blocked, own->items[i].merged, SCALER_COMM_SIZE,
					 sizeof(struct blocked_time));

		if (at == SIZE_MAX)
			return -ENOMEM;
		((struct blocked_time *)blocked->items)[at].time_ns +=
			own->items[i].row->figures.time_ns[SCALER_BLOCKED];
	}
	return 0;
}

/* Of a thread's blocked time: as much as of that of all threads of its name. */
static uint64_t idle_of_thread(const struct distinct *blocked, const struct delayed_times *delayed,
			       const struct named_thread *own)
{
	size_t at = distinct_find(blocked, own->merged, SCALER_COMM_SIZE, sizeof(struct blocked_time));
	const struct blocked_time *times = blocked->items;
	uint64_t all_ns = times && at != SIZE_MAX ? times[at].time_ns : 0;
	uint64_t delayed_ns = delayed_times_of_name(delayed, own->merged);
	double blocked_ns = (double)own->row->figures.time_ns[SCALER_BLOCKED];

	if (delayed_ns >= all_ns)
		return 0;
	return (uint64_t)(blocked_ns * ((double)(all_ns - delayed_ns) / (double)all_ns));
}

struct group {
	char merged[SCALER_COMM_SIZE]; /* the key */
	struct summary_group sum;
	uint32_t last_pid;
};

static struct group *group_at(const struct distinct *groups, size_t index)
{
	return &((struct group *)groups->items)[index];
}

static void add_thread(struct summary_group *sum, const struct named_thread *thread, uint64_t idle_ns)
{
	const struct thread_row *row = thread->row;

	name_group_add(&sum->names, thread->name);
	sum->threads++;
	thread_figures_add(&sum->figures, &row->figures);
	sum->idle_ns += idle_ns;
	sum->is_kernel = row->is_kernel;
	if (!sum->longest ||
	    row->figures.time_ns[SCALER_BLOCKED] > sum->longest->figures.time_ns[SCALER_BLOCKED])
		sum->longest = row;
}

/* How long a group did something, or was kept from it. */
static uint64_t busy_ns(const struct summary_group *group)
{
	return group->figures.life_ns - group->idle_ns;
}

static int compare_groups(const void *left, const void *right)
{
	const struct summary_group *a = left, *b = right;

	return array_order(busy_ns(b), busy_ns(a)) ?: strcmp(a->names.merged, b->names.merged);
}

/* Brings the threads in another order. */
static void count_processes(struct namings *namings, struct distinct *groups)
{
	const struct named_thread *items = namings->items;

	namings_sort_by_process(namings);
	for (size_t i = 0; i < namings->count; i++) {
		size_t index = distinct_find(groups, items[i].merged, SCALER_COMM_SIZE, sizeof(struct group));
		struct group *group = group_at(groups, index);

		group->sum.processes += !group->sum.processes || group->last_pid != items[i].row->pid;
		group->last_pid = items[i].row->pid;
	}
}

static int take_groups(const struct distinct *groups, const struct runs_table *runs, struct summary *summary)
{
	summary->groups = calloc(groups->count + 1, sizeof(*summary->groups));
	if (!summary->groups)
		return -ENOMEM;
	summary->group_count = groups->count;
	for (size_t i = 0; i < groups->count; i++) {
		summary->groups[i] = group_at(groups, i)->sum;
		summary->groups[i].runs = runs_table_find(runs, group_at(groups, i)->merged);
	}
	qsort(summary->groups, groups->count, sizeof(*summary->groups), compare_groups);
	return 0;
}

/* Both namings have the same threads in the same order. */
static int sum_groups(const struct namings *namings, const struct namings *own, bool has_chains,
		      const struct delayed_times *delayed, struct distinct *groups)
{
	struct distinct blocked = { 0 };
	int err = sum_blocked(own, &blocked);

	for (size_t i = 0; i < namings->count && !err; i++) {
		const struct named_thread *thread = &namings->items[i];
		size_t index = distinct_add(groups, thread->merged, SCALER_COMM_SIZE, sizeof(struct group));

		if (index == SIZE_MAX)
			err = -ENOMEM;
		else
			add_thread(&group_at(groups, index)->sum, thread,
				   has_chains ? idle_of_thread(&blocked, delayed, &own->items[i]) : 0);
	}
	distinct_clear(&blocked);
	return err;
}

static int make_groups(const struct summary_sources *sources, const struct namings *own,
		       const struct delayed_times *delayed, struct summary *summary)
{
	struct namings namings = { 0 };
	struct distinct groups = { 0 };
	struct runs_table runs = { 0 };
	int err;

	summary->are_processes = sources->threads->process_count > 1;
	err = namings_make(sources->threads, summary->are_processes, &namings);
	err = err ?: sum_groups(&namings, own, sources->chains, delayed, &groups);
	err = err ?: runs_table_make(&namings, sources->parts, sources->places, &runs);
	if (!err && groups.count) {
		count_processes(&namings, &groups);
		err = take_groups(&groups, &runs, summary);
	}
	runs_table_clear(&runs);
	distinct_clear(&groups);
	namings_clear(&namings);
	return err;
}

static void add_row(struct summary_function *function, const struct function_row *row)
{
	time_figures_add(&function->figures, &row->figures);
	for (size_t i = 0; i < row->caller_count; i++) {
		if (row->callers[i].sum.total_ns <= function->caller_ns)
			continue;
		function->caller = row->callers[i].place;
		function->caller_ns = row->callers[i].sum.total_ns;
	}
}

static uint64_t active_ns(const struct summary_function *function)
{
	return function->figures.total_ns - function->idle_ns;
}

static int compare_functions(const void *left, const void *right)
{
	const struct summary_function *a = left, *b = right;

	return array_order(active_ns(b), active_ns(a))                       ?:
		       array_order(b->figures.total_ns, a->figures.total_ns) ?:
		       array_order(a->entered, b->entered);
}

static uint64_t idle_of_function(const struct summary_function *function, const struct delayed_times *delayed)
{
	uint64_t blocked_ns = function->figures.time_ns[SCALER_BLOCKED];
	uint64_t delayed_ns = delayed_times_of_function(delayed, function->entered);

	return blocked_ns > delayed_ns ? blocked_ns - delayed_ns : 0;
}

static int make_functions(const struct summary_sources *sources, const struct delayed_times *delayed,
			  struct summary *summary)
{
	struct distinct functions = { 0 };

	for (size_t i = 0; i < sources->functions->row_count; i++) {
		const struct function_row *row = &sources->functions->rows[i];
		uint64_t entered = row->path.entered;
		size_t before = functions.count, at;

		at = distinct_add(&functions, &entered, sizeof(entered), sizeof(struct summary_function));
		if (at == SIZE_MAX) {
			distinct_clear(&functions);
			return -ENOMEM;
		}
		if (functions.count > before)
			((struct summary_function *)functions.items)[at].caller = PLACE_NONE;
		add_row(&((struct summary_function *)functions.items)[at], row);
	}
	summary->functions = functions.items;
	summary->function_count = functions.count;
	functions.items = NULL;
	distinct_clear(&functions);
	for (size_t i = 0; i < summary->function_count && sources->chains; i++)
		summary->functions[i].idle_ns = idle_of_function(&summary->functions[i], delayed);
	if (summary->function_count)
		qsort(summary->functions, summary->function_count, sizeof(*summary->functions),
		      compare_functions);
	return 0;
}

int summary_make(const struct summary_sources *sources, struct summary *summary)
{
	const struct chain_report none = { 0 }, *chains = sources->chains ?: &none;
	struct delayed_times delayed = { 0 };
	struct kernel_names kernel = { 0 };
	struct namings own = { 0 };
	int err;

	*summary = (struct summary){ 0 };
	err = namings_make(sources->threads, false, &own);
	err = err ?: kernel_names_make(&own, &kernel);
	err = err ?: delayed_times_make(chains, &kernel, &delayed);
	err = err ?: summary_waits_make(chains, sources->runs, &kernel, summary);
	err = err ?: make_groups(sources, &own, &delayed, summary);
	err = err ?: make_functions(sources, &delayed, summary);
	delayed_times_clear(&delayed);
	kernel_names_clear(&kernel);
	namings_clear(&own);
	return err;
}

void summary_clear(struct summary *summary)
{
	free(summary->groups);
	free(summary->waits);
	free(summary->functions);
	*summary = (struct summary){ 0 };
}
