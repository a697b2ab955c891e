// SPDX-License-Identifier: GPL-2.0-only
/* Library calls by function: sort the rows of the fold by their functions, once with callers and once with threads. */
#include "analysis/library_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "analysis/contexts.h"
#include "analysis/histogram.h"

/* A row of the fold. */
struct part {
	uint32_t function;
	uint32_t task;
	size_t caller; /* index in places.components, as is the next */
	size_t component;
	const struct scaler_call_stats *stats; /* the profile's */
	bool is_nested;                        /* in a call of the same function */
};

struct parts {
	struct part *items; /* owned */
	size_t count;
};

static int compare_by_caller(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return array_order(a->function, b->function) ?: array_order(a->caller, b->caller);
}

static int compare_by_thread(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return array_order(a->function, b->function) ?: array_order(a->task, b->task);
}

static int compare_callers(const void *left, const void *right)
{
	const struct library_caller *a = left, *b = right;

	return array_order(b->figures.calls, a->figures.calls) ?: array_order(a->component, b->component);
}

static int compare_names(const void *left, const void *right)
{
	const struct library_row *a = left, *b = right;

	return strcmp(a->function->library, b->function->library)   ?:
		       strcmp(a->function->name, b->function->name) ?:
								      array_order(a->component, b->component);
}

static uint64_t row_value(const struct library_row *row, enum sort_key sort)
{
	switch (sort) {
	case SORT_P50:
		return row->p50_ns;
	case SORT_P99:
		return row->p99_ns;
	case SORT_MAX:
		return row->max_ns;
	default:
		return library_figures_value(&row->figures, sort);
	}
}

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct library_row *a = left, *b = right;
	const enum sort_key *sort = context;

	if (*sort == SORT_NAME)
		return compare_names(left, right);
	return array_order(row_value(b, *sort), row_value(a, *sort))   ?:
		       array_order(b->figures.calls, a->figures.calls) ?:
									 compare_names(left, right);
}

/* Whether one of the calls that the context is in is of the same function. */
static bool is_nested(const struct contexts *contexts, const struct profile_context *context)
{
	uint32_t function = context->key.function;

	while ((context = contexts_parent(contexts, context))) {
		if (context->key.function == function)
			return true;
	}
	return false;
}

static int list_parts(const struct profile *profile, const struct places *places, struct parts *parts)
{
	struct contexts contexts;
	int err = contexts_index(profile, &contexts);

	parts->items = calloc(profile->library_call_count + 1, sizeof(*parts->items));
	for (size_t i = 0; i < profile->library_call_count && !err && parts->items; i++) {
		const struct scaler_call_key *key = &profile->library_calls[i].key;
		const struct profile_context *context = contexts_find(&contexts, key->context);

		if (context && context->key.function && context->key.function <= profile->functions->count)
			parts->items[parts->count++] = (struct part){
				.function = context->key.function,
				.task = key->task,
				.caller = places_component(places, context->key.caller),
				.component = places_component(places, context->context.component),
				.stats = &profile->library_calls[i].stats,
				.is_nested = is_nested(&contexts, context),
			};
	}
	contexts_clear(&contexts);
	return parts->items ? err : -ENOMEM;
}

/* Of a function that had probes in windows at first, what these saw of it may be nothing. */
static enum library_counting find_counting(const struct profile *profile, const struct library_row *row)
{
	const struct library_function *function = row->function;
	bool is_sampled = function->is_sampled && profile->library_sampling.windows;

	if (is_sampled && (function->unhooked_ns || sampled_any(&row->figures.sampled)))
		return LIBRARY_SAMPLED;
	return function->unhooked_ns ? LIBRARY_SHARE_ONLY : LIBRARY_EXACT;
}

static void add_part(struct library_figures *sum, const struct profile *profile, const struct part *part,
		     bool is_nested)
{
	struct library_figures figures = { .sampled.rest = library_figures_rest(profile, part->function) };

	library_figures_add(&figures, part->stats, is_nested);
	library_figures_add_sum(sum, &figures);
}

/* The callers of the function whose parts begin at *at, which is moved behind them. */
static void merge_callers(struct library_row *row, struct library_caller *callers,
			  const struct profile *profile, const struct parts *parts, size_t *at)
{
	uint32_t function = parts->items[*at].function;
	struct histogram histogram = { 0 };

	row->callers = callers;
	for (; *at < parts->count && parts->items[*at].function == function; ++*at) {
		const struct part *part = &parts->items[*at];

		if (!row->caller_count || callers[row->caller_count - 1].component != part->caller)
			callers[row->caller_count++].component = part->caller;
		add_part(&callers[row->caller_count - 1].figures, profile, part, part->is_nested);
		add_part(&row->figures, profile, part, part->is_nested);
		histogram_add(&histogram, part->stats->buckets);
		if (part->stats->max_ns > row->max_ns) {
			row->max_ns = part->stats->max_ns;
			row->max_start_ns = part->stats->max_start_ns;
		}
		/* A call whose component could not be looked up tells less than the others. */
		if (row->component == PLACE_NONE)
			row->component = part->component;
	}
	row->p50_ns = histogram_percentile_ns(&histogram, 0.50, row->max_ns);
	row->p99_ns = histogram_percentile_ns(&histogram, 0.99, row->max_ns);
	qsort(callers, row->caller_count, sizeof(*callers), compare_callers);
}

static struct library_thread describe_thread(const struct profile *profile, uint32_t serial)
{
	const struct scaler_thread *thread = profile_find_thread(profile, serial);
	const struct profile_group *group = thread ? NULL : profile_find_group(profile, serial);

	if (group)
		return (struct library_thread){ .comm = group->comm, .threads = group->threads };
	return (struct library_thread){
		.pid = thread ? thread->tgid : 0,
		.tid = thread ? thread->tid : 0,
		.comm = thread ? thread->comm : "",
		.threads = 1,
	};
}

static void merge_threads(struct library_row *row, struct library_thread *threads,
			  const struct profile *profile, const struct parts *parts, size_t *at)
{
	uint32_t function = parts->items[*at].function;

	row->threads = threads;
	for (; *at < parts->count && parts->items[*at].function == function; ++*at) {
		const struct part *part = &parts->items[*at];

		if (!row->thread_count || part[-1].task != part->task)
			threads[row->thread_count++] = describe_thread(profile, part->task);
		add_part(&threads[row->thread_count - 1].figures, profile, part, part->is_nested);
	}
}

static int merge_parts(const struct profile *profile, struct parts *parts, struct library_summary *summary)
{
	size_t at = 0, callers = 0, threads = 0, row = 0;

	summary->rows = calloc(parts->count + 1, sizeof(*summary->rows));
	summary->callers = calloc(parts->count + 1, sizeof(*summary->callers));
	summary->threads = calloc(parts->count + 1, sizeof(*summary->threads));
	if (!summary->rows || !summary->callers || !summary->threads)
		return -ENOMEM;
	qsort(parts->items, parts->count, sizeof(*parts->items), compare_by_caller);
	while (at < parts->count) {
		struct library_row *next = &summary->rows[summary->row_count++];

		next->function = &summary->functions->items[parts->items[at].function - 1];
		next->component = PLACE_NONE;
		merge_callers(next, summary->callers + callers, profile, parts, &at);
		next->counting = find_counting(profile, next);
		callers += next->caller_count;
		summary->is_timed |= next->figures.calls != next->figures.untimed;
	}
	qsort(parts->items, parts->count, sizeof(*parts->items), compare_by_thread);
	for (at = 0; at < parts->count; row++) {
		merge_threads(&summary->rows[row], summary->threads + threads, profile, parts, &at);
		threads += summary->rows[row].thread_count;
	}
	return 0;
}

const char *library_counting_name(enum library_counting counting)
{
	static const char *const names[] = {
		[LIBRARY_EXACT] = "exact",
		[LIBRARY_SAMPLED] = "sampled",
		[LIBRARY_SHARE_ONLY] = "share_only",
	};

	return names[counting];
}

int library_summary_make(const struct profile *profile, const struct places *places, enum sort_key sort,
			 struct library_summary *summary)
{
	struct parts parts = { 0 };
	int err;

	if (sort == SORT_DEFAULT)
		sort = SORT_TOTAL;

	*summary = (struct library_summary){ .functions = profile->functions };
	if (!profile->functions)
		return 0;
	err = list_parts(profile, places, &parts) ?: merge_parts(profile, &parts, summary);
	for (size_t i = 0; i < parts.count && !err; i++)
		add_part(&summary->total, profile, &parts.items[i], true);
	summary->total.total = summary->total.self;
	free(parts.items);
	if (err) {
		library_summary_clear(summary);
		return err;
	}
	qsort_r(summary->rows, summary->row_count, sizeof(*summary->rows), compare_rows, &sort);
	return 0;
}

void library_summary_clear(struct library_summary *summary)
{
	free(summary->rows);
	free(summary->callers);
	free(summary->threads);
	*summary = (struct library_summary){ 0 };
}
