// SPDX-License-Identifier: GPL-2.0-only
/* Where the threads' time went by component: the calls' times summed, and what is left. */
#include "analysis/component_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/attribution.h"

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

static const char *row_name(const struct component_row *row)
{
	return row->component ? row->component->name : row->cut;
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct component_row *a = left, *b = right;
	enum sort_key sort = *(const enum sort_key *)data;
	uint64_t value_a = row_value(a, sort), value_b = row_value(b, sort);

	if (sort != SORT_NAME && value_a != value_b)
		return value_a > value_b ? -1 : 1;
	return strcmp(row_name(a), row_name(b));
}

static uint64_t difference(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

static void add_call(struct component_figures *sum, const struct profile_call *call)
{
	const struct scaler_call_id *id = &call->key.id;
	const struct scaler_call_stats *figures = &call->stats;
	const struct scaler_partial_calls *partial = &figures->partial;
	uint64_t runnable_ns = figures->runnable_ns + partial->runnable_ns;
	uint64_t blocked_ns = figures->blocked_ns + partial->blocked_ns;
	uint64_t total_ns = figures->total_ns + partial->total_ns;
	/* The states are exact; a call's total is by the clocks of two CPUs, which may disagree. */
	uint64_t running_ns = difference(total_ns, runnable_ns + blocked_ns);

	sum->calls += figures->count + partial->count;
	sum->time_ns[SCALER_RUNNING] += running_ns;
	sum->time_ns[SCALER_RUNNABLE] += runnable_ns;
	sum->time_ns[SCALER_BLOCKED] += blocked_ns;
	sum->blocked_ns[syscall_category(id->abi, id->number, id->descriptor)] += blocked_ns;
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

/* A row for each component, and behind them one for each reason why it is not known. */
static void add_calls(struct profile *profile, const struct places *places, enum component_of component_of,
		      struct component_row *rows)
{
	size_t count = places->component_count;

	for (size_t i = 0; i < count; i++)
		rows[i].component = &places->components[i];
	for (int end = 0; end < SCALER_STACK_ENDS; end++)
		rows[count + (size_t)end].cut = stack_end_text((enum scaler_stack_end)end);
	for (size_t i = 0; i < profile->call_count; i++) {
		struct attribution to =
			attribution_find(profile, places, component_of, &profile->calls[i].key);
		size_t row = to.component == PLACE_NONE ? count + (size_t)to.cut : to.component;

		add_call(&rows[row].figures, &profile->calls[i]);
	}
}

int component_summary_make(struct profile *profile, const struct places *places,
			   const struct thread_summary *threads, const struct report_options *options,
			   struct component_summary *summary)
{
	size_t count = places->component_count + SCALER_STACK_ENDS, kept = 0;
	enum sort_key sort = sort_key_for(options, REPORT_COMPONENTS);
	struct component_row *rows = calloc(count + 1, sizeof(*rows));

	*summary = (struct component_summary){ .rows = rows };
	if (!rows)
		return -ENOMEM;
	add_calls(profile, places, options->component_of, rows);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].figures.calls || rows[i].figures.total_ns)
			rows[kept++] = rows[i];
	}
	summary->row_count = kept + 1;
	qsort_r(rows, kept, sizeof(*rows), compare_rows, &sort);
	summary->total = component_summary_rest(summary, 0);
	rows[kept] = outside_row(&threads->total, &summary->total);
	add_figures(&summary->total, &rows[kept].figures);
	return 0;
}

void component_summary_clear(struct component_summary *summary)
{
	free(summary->rows);
	*summary = (struct component_summary){ 0 };
}
