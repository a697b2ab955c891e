// SPDX-License-Identifier: GPL-2.0-only
/* Where the threads' time went by function: sort calls and samples by their paths, merge, sort by time. */
#include "analysis/function_summary.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* Calls of one row of the fold, or samples, and then there is no call. */
struct part {
	struct call_path path;
	const struct profile_call *call;
	const struct outside_row *sampled;
};

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
	const struct part *a = left, *b = right;

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
static struct time_figures merge_caller(const struct part *parts, size_t count, size_t *at)
{
	const struct part *first = &parts[*at];
	struct time_figures figures = { 0 };

	for (; *at < count && !compare_parts(&parts[*at], first); ++*at) {
		const struct part *part = &parts[*at];

		if (part->call)
			time_figures_add_call(&figures, part->call);
		else
			time_figures_add_samples(&figures, part->sampled->samples, part->sampled->running_ns);
	}
	return figures;
}

/* Merges the parts from *at on that have one path; puts their callers at callers. */
static void merge_row(struct function_row *row, struct function_caller *callers, const struct part *parts,
		      size_t count, size_t *at)
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

/* The parts have room for all calls and samples. Returns their number. */
static size_t list_parts(struct profile *profile, const struct places *places, const struct outside *outside,
			 struct part *parts)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->call_count; i++) {
		const struct profile_call *call = &profile->calls[i];
		struct frames frames = frames_of_call(profile, places, &call->key);

		parts[count++] = (struct part){ .path = attribution_path(&frames), .call = call };
	}
	for (size_t i = 0; i < outside->row_count; i++) {
		const struct outside_row *row = &outside->rows[i];
		struct frames frames = frames_of_sample(profile, places, row->sample);

		if (frames.count)
			parts[count++] = (struct part){ .path = attribution_path(&frames), .sampled = row };
	}
	return count;
}

static int merge_parts(struct profile *profile, const struct places *places, const struct outside *outside,
		       struct function_summary *summary)
{
	size_t count = profile->call_count + outside->row_count, at = 0, caller_count = 0;
	struct part *parts = calloc(count + 1, sizeof(*parts));

	summary->rows = calloc(count + 1, sizeof(*summary->rows));
	summary->callers = calloc(count + 1, sizeof(*summary->callers));
	if (!parts || !summary->rows || !summary->callers) {
		free(parts);
		return -ENOMEM;
	}
	count = list_parts(profile, places, outside, parts);
	qsort(parts, count, sizeof(*parts), compare_parts);
	while (at < count) {
		struct function_row *row = &summary->rows[summary->row_count++];

		merge_row(row, summary->callers + caller_count, parts, count, &at);
		caller_count += row->caller_count;
	}
	free(parts);
	return 0;
}

int function_summary_make(struct profile *profile, const struct places *places, const struct outside *outside,
			  enum sort_key sort, struct function_summary *summary)
{
	struct row_order order = { places, sort };

	*summary = (struct function_summary){ 0 };
	if (merge_parts(profile, places, outside, summary)) {
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
