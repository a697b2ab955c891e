// SPDX-License-Identifier: GPL-2.0-only
/* Where the threads' time went by library function: sort calls by their paths, merge, sort by time. */
#include "analysis/function_summary.h"

#include <errno.h>
#include <stdlib.h>

struct call_by_path {
	struct call_path path;
	const struct profile_call *call;
};

struct row_order {
	const struct places *places;
	enum sort_key sort;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* The order in which calls of one row stand side by side. */
static int compare_paths(const struct call_path *a, const struct call_path *b)
{
	return compare(a->entered, b->entered)             ?:
		       compare(a->innermost, b->innermost) ?:
							     compare(a->cut, b->cut);
}

static int compare_calls(const void *left, const void *right)
{
	const struct call_by_path *a = left, *b = right;

	return compare_paths(&a->path, &b->path) ?: compare(a->path.caller, b->path.caller);
}

static int compare_callers(const void *left, const void *right)
{
	const struct function_caller *a = left, *b = right;

	return compare(b->sum.total_ns, a->sum.total_ns) ?: compare(a->place, b->place);
}

/* As they are shown; those that are not known come last. */
static int compare_names(const struct places *places, size_t a, size_t b)
{
	if (a == PLACE_NONE || b == PLACE_NONE)
		return compare(a, b);
	return places_compare_names(places, a, b);
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct function_row *a = left, *b = right;
	const struct row_order *order = data;
	int result = 0;

	if (order->sort != SORT_NAME)
		result = compare(time_figures_value(&b->figures, order->sort),
				 time_figures_value(&a->figures, order->sort));
	return result                                                                     ?:
		       compare_names(order->places, a->path.entered, b->path.entered)     ?:
		       compare_names(order->places, a->path.innermost, b->path.innermost) ?:
		       compare_paths(&a->path, &b->path);
}

struct time_figures function_summary_rest(const struct function_summary *summary, size_t first)
{
	struct time_figures sum = { 0 };

	for (size_t i = first; i < summary->row_count; i++)
		time_figures_add(&sum, &summary->rows[i].figures);
	return sum;
}

/* Merges the calls from *at on that one caller made by one path. */
static struct time_figures merge_caller(const struct call_by_path *calls, size_t count, size_t *at)
{
	const struct call_by_path *first = &calls[*at];
	struct time_figures figures = { 0 };

	for (; *at < count && !compare_calls(&calls[*at], first); ++*at)
		time_figures_add_call(&figures, calls[*at].call);
	return figures;
}

/* Merges the calls from *at on that were made by one path; puts their callers at callers. */
static void merge_row(struct function_row *row, struct function_caller *callers,
		      const struct call_by_path *calls, size_t count, size_t *at)
{
	*row = (struct function_row){ .path = calls[*at].path, .callers = callers };
	while (*at < count && !compare_paths(&calls[*at].path, &row->path)) {
		struct function_caller caller = { .place = calls[*at].path.caller };
		struct time_figures figures = merge_caller(calls, count, at);

		time_figures_add(&row->figures, &figures);
		call_sum_add(&caller.sum, &figures);
		if (caller.place != PLACE_NONE)
			callers[row->caller_count++] = caller;
	}
	qsort(callers, row->caller_count, sizeof(*callers), compare_callers);
}

static int merge_calls(struct profile *profile, const struct places *places, struct function_summary *summary)
{
	size_t count = profile->call_count, at = 0, caller_count = 0;
	struct call_by_path *calls = calloc(count + 1, sizeof(*calls));

	summary->rows = calloc(count + 1, sizeof(*summary->rows));
	summary->callers = calloc(count + 1, sizeof(*summary->callers));
	if (!calls || !summary->rows || !summary->callers) {
		free(calls);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++)
		calls[i] = (struct call_by_path){ attribution_path(profile, places, &profile->calls[i].key),
						  &profile->calls[i] };
	qsort(calls, count, sizeof(*calls), compare_calls);
	while (at < count) {
		struct function_row *row = &summary->rows[summary->row_count++];

		merge_row(row, summary->callers + caller_count, calls, count, &at);
		caller_count += row->caller_count;
	}
	free(calls);
	return 0;
}

int function_summary_make(struct profile *profile, const struct places *places,
			  const struct thread_summary *threads, enum sort_key sort,
			  struct function_summary *summary)
{
	struct row_order order = { places, sort };

	*summary = (struct function_summary){ 0 };
	if (merge_calls(profile, places, summary)) {
		function_summary_clear(summary);
		return -ENOMEM;
	}
	qsort_r(summary->rows, summary->row_count, sizeof(*summary->rows), compare_rows, &order);
	summary->total = function_summary_rest(summary, 0);
	summary->outside = time_figures_outside(&threads->total, &summary->total);
	time_figures_add(&summary->total, &summary->outside);
	return 0;
}

void function_summary_clear(struct function_summary *summary)
{
	free(summary->rows);
	free(summary->callers);
	*summary = (struct function_summary){ 0 };
}
