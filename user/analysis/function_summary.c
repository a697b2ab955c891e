// SPDX-License-Identifier: GPL-2.0-only
/* Where the threads' time went by function: sort what has one path together, merge, sort by time. */
#include "analysis/function_summary.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

struct row_order {
	const struct places *places;
	enum sort_key sort;
};

/* The order in which the parts of one row stand side by side. */
static int compare_paths(const struct call_path *a, const struct call_path *b)
{
	return array_order(a->entered, b->entered)             ?:
		       array_order(a->innermost, b->innermost) ?:
								 array_order(a->cut, b->cut);
}

static int compare_parts(const void *left, const void *right)
{
	const struct path_part *a = left, *b = right;

	return compare_paths(&a->path, &b->path) ?: array_order(a->path.caller, b->path.caller);
}

static int compare_callers(const void *left, const void *right)
{
	const struct function_caller *a = left, *b = right;

	return array_order(b->sum.total_ns, a->sum.total_ns) ?: array_order(a->place, b->place);
}

/* As they are shown; those that are not known come last. */
static int compare_names(const struct places *places, size_t a, size_t b)
{
	if (a == PLACE_NONE || b == PLACE_NONE)
		return array_order(a, b);
	return places_compare_names(places, a, b);
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct function_row *a = left, *b = right;
	const struct row_order *order = data;
	int result = 0;

	if (order->sort != SORT_NAME)
		result = array_order(time_figures_value(&b->figures, order->sort),
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

/* Merges the parts from *at on that one caller caused by one path. */
static struct time_figures merge_caller(const struct path_part *parts, size_t count, size_t *at)
{
	const struct path_part *first = &parts[*at];
	struct time_figures figures = { 0 };

	for (; *at < count && !compare_parts(&parts[*at], first); ++*at)
		path_part_add(&parts[*at], &figures);
	return figures;
}

/* Merges the parts from *at on that have one path; puts their callers at callers. */
static void merge_row(struct function_row *row, struct function_caller *callers,
		      const struct path_part *parts, size_t count, size_t *at)
{
	*row = (struct function_row){ .path = parts[*at].path, .callers = callers };
	while (*at < count && !compare_paths(&parts[*at].path, &row->path)) {
		struct function_caller caller = { .place = parts[*at].path.caller };
		struct time_figures figures = merge_caller(parts, count, at);

		time_figures_add(&row->figures, &figures);
		call_sum_add(&caller.sum, &figures);
		if (caller.place != PLACE_NONE)
			callers[row->caller_count++] = caller;
	}
	qsort(callers, row->caller_count, sizeof(*callers), compare_callers);
}

static int merge_parts(const struct path_parts *parts, struct function_summary *summary)
{
	size_t at = 0, caller_count = 0;

	summary->rows = calloc(parts->count + 1, sizeof(*summary->rows));
	summary->callers = calloc(parts->count + 1, sizeof(*summary->callers));
	if (!summary->rows || !summary->callers)
		return -ENOMEM;
	qsort(parts->items, parts->count, sizeof(*parts->items), compare_parts);
	while (at < parts->count) {
		struct function_row *row = &summary->rows[summary->row_count++];

		merge_row(row, summary->callers + caller_count, parts->items, parts->count, &at);
		caller_count += row->caller_count;
	}
	return 0;
}

int function_summary_make(const struct path_parts *parts, const struct places *places,
			  const struct outside *outside, enum sort_key sort, struct function_summary *summary)
{
	struct row_order order = { places, sort };

	*summary = (struct function_summary){ 0 };
	if (merge_parts(parts, summary)) {
		function_summary_clear(summary);
		return -ENOMEM;
	}
	qsort_r(summary->rows, summary->row_count, sizeof(*summary->rows), compare_rows, &order);
	summary->total = function_summary_rest(summary, 0);
	summary->outside = outside_rest(outside, &summary->total);
	time_figures_add(&summary->total, &summary->outside);
	return 0;
}

void function_summary_clear(struct function_summary *summary)
{
	free(summary->rows);
	free(summary->callers);
	*summary = (struct function_summary){ 0 };
}
