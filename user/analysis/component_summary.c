// SPDX-License-Identifier: GPL-2.0-only
/* Where the threads' time went by component: the calls' times summed, and what is left. */
#include "analysis/component_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_rows(const void *left, const void *right)
{
	const struct component_row *a = left, *b = right;

	if (a->figures.total_ns != b->figures.total_ns)
		return a->figures.total_ns > b->figures.total_ns ? -1 : 1;
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
		row.figures.time_ns[state] = difference(lives->time_ns[state],
							in_calls->time_ns[state]);
		row.figures.total_ns += row.figures.time_ns[state];
	}
	return row;
}

int component_summary_make(const struct issuers *issuers, const struct call_summary *calls,
			   const struct thread_summary *threads, struct component_summary *summary)
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
	qsort(rows, count, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < count; i++)
		add_figures(&summary->total, &rows[i].figures);
	rows[count] = outside_row(&threads->total, &summary->total);
	add_figures(&summary->total, &rows[count].figures);
	return 0;
}

void component_summary_clear(struct component_summary *summary)
{
	free(summary->rows);
	*summary = (struct component_summary){ 0 };
}
