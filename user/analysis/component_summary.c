// SPDX-License-Identifier: GPL-2.0-only
/* Where the threads' time went by component: the calls' times summed, and what is left. */
#include "analysis/component_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t row_value(const struct component_row *row, enum sort_key sort)
{
	const struct component_figures *figures = &row->figures;

	switch (sort) {
	case SORT_RUNNING:
		return figures->time_ns[SCALER_RUNNING];
	case SORT_RUNNABLE:
		return figures->time_ns[SCALER_RUNNABLE];
	case SORT_BLOCKED:
		return figures->time_ns[SCALER_BLOCKED];
	case SORT_CALLS:
		return figures->calls;
	default:
		return figures->total_ns;
	}
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct component_row *a = left, *b = right;
	enum sort_key sort = *(const enum sort_key *)data;
	uint64_t value_a = row_value(a, sort), value_b = row_value(b, sort);

	if (sort != SORT_NAME && value_a != value_b)
		return value_a > value_b ? -1 : 1;
	return strcmp(a->component->name, b->component->name);
}

static uint64_t difference(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

static void add_call(struct component_figures *sum, const struct call_summary_row *row)
{
	const struct call_figures *figures = &row->figures;
	const struct partial_figures *partial = &figures->partial;
	uint64_t runnable_ns = figures->runnable_ns + partial->runnable_ns;
	uint64_t blocked_ns = figures->blocked_ns + partial->blocked_ns;
	uint64_t total_ns = figures->total_ns + partial->total_ns;
	/* The states are exact; a call's total is by the clocks of two CPUs, which may disagree. */
	uint64_t running_ns = difference(total_ns, runnable_ns + blocked_ns);

	sum->calls += figures->count + partial->count;
	sum->time_ns[SCALER_RUNNING] += running_ns;
	sum->time_ns[SCALER_RUNNABLE] += runnable_ns;
	sum->time_ns[SCALER_BLOCKED] += blocked_ns;
	sum->blocked_ns[row->category] += blocked_ns;
	sum->total_ns += running_ns + runnable_ns + blocked_ns;
}

static void add_figures(struct component_figures *sum, const struct component_figures *more)
{
	sum->total_ns += more->total_ns;
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		sum->time_ns[state] += more->time_ns[state];
	for (int category = 0; category < CATEGORY_COUNT; category++)
		sum->blocked_ns[category] += more->blocked_ns[category];
	sum->calls += more->calls;
}

/* What of the threads' lives is in no call. */
static struct component_row outside_row(const struct thread_figures *lives,
					const struct component_figures *in_calls)
{
	struct component_row row = { 0 };

	for (int state = 0; state < SCALER_STATE_COUNT; state++) {
		row.figures.time_ns[state] = difference(lives->time_ns[state], in_calls->time_ns[state]);
		row.figures.total_ns += row.figures.time_ns[state];
	}
	return row;
}

struct component_figures component_summary_rest(const struct component_summary *summary, size_t first)
{
	struct component_figures sum = { 0 };

	for (size_t i = first; i + 1 < summary->row_count; i++)
		add_figures(&sum, &summary->rows[i].figures);
	return sum;
}

int component_summary_make(const struct issuers *issuers, const struct call_summary *calls,
			   const struct thread_summary *threads, enum sort_key sort,
			   struct component_summary *summary)
{
	size_t count = issuers->component_count;
	struct component_row *rows = calloc(count + 1, sizeof(*rows));

	*summary = (struct component_summary){ .rows = rows, .row_count = count + 1 };
	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		rows[i].component = &issuers->components[i];
	for (size_t i = 0; i < calls->row_count; i++) {
		const struct issuer *issuer = &issuers->items[calls->rows[i].key.issuer];

		add_call(&rows[issuer->component].figures, &calls->rows[i]);
	}
	qsort_r(rows, count, sizeof(*rows), compare_rows, &sort);
	summary->total = component_summary_rest(summary, 0);
	rows[count] = outside_row(&threads->total, &summary->total);
	add_figures(&summary->total, &rows[count].figures);
	return 0;
}

void component_summary_clear(struct component_summary *summary)
{
	free(summary->rows);
	*summary = (struct component_summary){ 0 };
}
