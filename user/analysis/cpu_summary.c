// SPDX-License-Identifier: GPL-2.0-only
/* Where the threads ran, by CPU samples. */
#include "analysis/cpu_summary.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

static uint64_t innermost_site(struct profile *profile, const struct scaler_sample *sample)
{
	const struct stack *stack;

	if (sample->site)
		return sample->site;
	stack = stacks_find(&profile->stacks, sample->stack);
	return stack && stack->count ? profile->stacks.sites[stack->first] : 0;
}

static struct cpu_row make_row(struct profile *profile, const struct places *places,
			       const struct sample_row *row)
{
	uint64_t site = innermost_site(profile, &row->sample);

	return (struct cpu_row){
		.place = site ? places_find(places, site) : PLACE_NONE,
		.kernel = row->sample.kernel ? places_find(places, row->sample.kernel) : PLACE_NONE,
		.samples = row->count,
	};
}

static int compare_places(const void *left, const void *right)
{
	const struct cpu_row *a = left, *b = right;

	return array_order(a->place, b->place) ?: array_order(a->kernel, b->kernel);
}

struct row_order {
	const struct places *places;
	enum sort_key sort;
};

static int compare_names(const struct places *places, size_t left, size_t right)
{
	if (left == PLACE_NONE || right == PLACE_NONE)
		return array_order(left, right);
	return places_compare_names(places, left, right);
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct cpu_row *a = left, *b = right;
	const struct row_order *order = data;

	if (order->sort != SORT_NAME && a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return compare_names(order->places, a->place, b->place) ?:
		       compare_names(order->places, a->kernel, b->kernel);
}

static void merge_rows(struct cpu_summary *summary, size_t count)
{
	struct cpu_row *rows = summary->rows;

	qsort(rows, count, sizeof(*rows), compare_places);
	for (size_t i = 0; i < count; i++) {
		summary->samples += rows[i].samples;
		if (i && !compare_places(&rows[summary->row_count - 1], &rows[i]))
			rows[summary->row_count - 1].samples += rows[i].samples;
		else
			rows[summary->row_count++] = rows[i];
	}
}

int cpu_summary_make(struct profile *profile, const struct places *places, uint64_t running_ns,
		     enum sort_key sort, struct cpu_summary *summary)
{
	struct row_order order = { places, sort };
	size_t count = profile->samples.rows.count;

	*summary = (struct cpu_summary){ .rows = calloc(count + 1, sizeof(*summary->rows)),
					 .running_ns = running_ns };
	if (!summary->rows)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		summary->rows[i] = make_row(profile, places, &samples_rows(&profile->samples)[i]);
	merge_rows(summary, count);
	qsort_r(summary->rows, summary->row_count, sizeof(*summary->rows), compare_rows, &order);
	for (size_t i = 0; i < summary->row_count; i++)
		summary->rows[i].time = estimate_time(summary->rows[i].samples, summary->samples, running_ns);
	return 0;
}

struct cpu_row cpu_summary_rest(const struct cpu_summary *summary, size_t first)
{
	struct cpu_row sum = { .place = PLACE_NONE, .kernel = PLACE_NONE };

	for (size_t i = first; i < summary->row_count; i++)
		sum.samples += summary->rows[i].samples;
	sum.time = estimate_time(sum.samples, summary->samples, summary->running_ns);
	return sum;
}

void cpu_summary_clear(struct cpu_summary *summary)
{
	free(summary->rows);
	*summary = (struct cpu_summary){ 0 };
}
