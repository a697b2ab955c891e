// SPDX-License-Identifier: GPL-2.0-only
/* Library calls by the components between which they go: sort the rows of the fold by both, and merge. */
#include "analysis/cross_flow.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "analysis/contexts.h"

static int compare_ends(const void *left, const void *right)
{
	const struct cross_flow_row *a = left, *b = right;

	return array_order(a->caller, b->caller) ?: array_order(a->called, b->called);
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct cross_flow_row *a = left, *b = right;
	const enum sort_key *sort = data;

	return array_order(library_figures_value(&b->figures, *sort), library_figures_value(&a->figures, *sort)) ?:
		       array_order(b->figures.calls, a->figures.calls) ?:
									 compare_ends(left, right);
}

/* Whether one of the calls that the context is in goes between the same two. */
static bool is_nested(const struct contexts *contexts, const struct profile_context *context)
{
	uint32_t caller = context->key.caller, called = context->context.component;

	while ((context = contexts_parent(contexts, context))) {
		if (context->key.caller == caller && context->context.component == called)
			return true;
	}
	return false;
}

/* A row for each of the fold's. */
static void list_rows(const struct profile *profile, const struct places *places,
		      const struct contexts *contexts, struct cross_flow *flow)
{
	for (size_t i = 0; i < profile->library_call_count; i++) {
		const struct profile_call *call = &profile->library_calls[i];
		const struct profile_context *context = contexts_find(contexts, call->key.context);
		struct cross_flow_row *row = &flow->rows[flow->row_count];

		if (!context)
			continue;
		row->caller = places_component(places, context->key.caller);
		row->called = places_component(places, context->context.component);
		row->figures.sampled.rest = library_figures_rest(profile, context->key.function);
		library_figures_add(&row->figures, &call->stats, is_nested(contexts, context));
		flow->row_count++;
	}
}

static void merge_rows(struct cross_flow *flow)
{
	size_t merged = 0;

	qsort(flow->rows, flow->row_count, sizeof(*flow->rows), compare_ends);
	for (size_t i = 0; i < flow->row_count; i++) {
		if (merged && !compare_ends(&flow->rows[merged - 1], &flow->rows[i]))
			library_figures_add_sum(&flow->rows[merged - 1].figures, &flow->rows[i].figures);
		else
			flow->rows[merged++] = flow->rows[i];
	}
	flow->row_count = merged;
}

int cross_flow_make(const struct profile *profile, const struct places *places, enum sort_key sort,
		    struct cross_flow *flow)
{
	struct contexts contexts;

	*flow = (struct cross_flow){ 0 };
	if (contexts_index(profile, &contexts))
		return -ENOMEM;
	flow->rows = calloc(profile->library_call_count + 1, sizeof(*flow->rows));
	if (flow->rows) {
		list_rows(profile, places, &contexts, flow);
		merge_rows(flow);
		qsort_r(flow->rows, flow->row_count, sizeof(*flow->rows), compare_rows, &sort);
	}
	contexts_clear(&contexts);
	return flow->rows ? 0 : -ENOMEM;
}

void cross_flow_clear(struct cross_flow *flow)
{
	free(flow->rows);
	*flow = (struct cross_flow){ 0 };
}
