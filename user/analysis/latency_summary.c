// SPDX-License-Identifier: GPL-2.0-only
/* How long threads wait for a CPU once they could run: the scheduler's latency, longest delay first. */
#include "analysis/latency_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static struct latency_row make_row(const struct thread_row *thread)
{
	const struct thread_figures *figures = &thread->figures;

	return (struct latency_row){
		.thread = thread,
		.figures = {
			.running_ns = figures->time_ns[SCALER_RUNNING],
			.switches = figures->voluntary + figures->involuntary,
			.delays = figures->delays,
			.delay_ns = figures->time_ns[SCALER_RUNNABLE],
			.quota_ns = figures->quota_ns,
			.longest = thread->longest_delay,
			.is_lower_bound = thread->is_longest_open,
		},
	};
}

static uint64_t row_value(const struct latency_row *row, enum sort_key sort)
{
	const struct latency_figures *figures = &row->figures;

	switch (sort) {
	case SORT_RUNNING:
		return figures->running_ns;
	case SORT_RUNNABLE:
		return figures->delay_ns;
	case SORT_SWITCHES:
		return figures->switches;
	default:
		return figures->longest.duration_ns;
	}
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct latency_row *a = left, *b = right;
	enum sort_key sort = *(const enum sort_key *)data;
	int order = sort == SORT_NAME ? strcmp(a->thread->comm, b->thread->comm) : 0;

	/* Threads that no figure tells apart stay in the order of their table. */
	return order                                                       ?:
		       array_order(row_value(b, sort), row_value(a, sort)) ?:
		       array_order((uintptr_t)a->thread, (uintptr_t)b->thread);
}

static void figures_add(struct latency_figures *sum, const struct latency_figures *more)
{
	sum->running_ns += more->running_ns;
	sum->switches += more->switches;
	sum->delays += more->delays;
	sum->delay_ns += more->delay_ns;
	sum->quota_ns += more->quota_ns;
	if (more->longest.duration_ns > sum->longest.duration_ns) {
		sum->longest = more->longest;
		sum->is_lower_bound = more->is_lower_bound;
	}
}

int latency_summary_make(const struct thread_summary *threads, enum sort_key sort,
			 struct latency_summary *summary)
{
	struct latency_row *rows = calloc(threads->row_count + 1, sizeof(*rows));

	*summary = (struct latency_summary){ .rows = rows, .row_count = threads->row_count };
	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < threads->row_count; i++)
		rows[i] = make_row(&threads->rows[i]);
	qsort_r(rows, summary->row_count, sizeof(*rows), compare_rows, &sort);
	summary->total = latency_summary_rest(summary, 0);
	return 0;
}

struct latency_figures latency_summary_rest(const struct latency_summary *summary, size_t first)
{
	struct latency_figures sum = { 0 };

	for (size_t i = first; i < summary->row_count; i++)
		figures_add(&sum, &summary->rows[i].figures);
	return sum;
}

uint64_t latency_average_ns(const struct latency_figures *figures)
{
	return figures->delays ? figures->delay_ns / figures->delays : 0;
}

void latency_summary_clear(struct latency_summary *summary)
{
	free(summary->rows);
	*summary = (struct latency_summary){ 0 };
}
