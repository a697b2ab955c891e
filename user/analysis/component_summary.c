// SPDX-License-Identifier: GPL-2.0-only
/* Where the threads' time went by component: the calls' and the samples' times summed, and what is left. */
#include "analysis/component_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/attribution.h"

static const char *row_name(const struct component_row *row)
{
	return row->component ? row->component->name : row->cut;
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct component_row *a = left, *b = right;
	enum sort_key sort = *(const enum sort_key *)data;
	uint64_t value_a = time_figures_value(&a->figures, sort);
	uint64_t value_b = time_figures_value(&b->figures, sort);

	if (sort != SORT_NAME && value_a != value_b)
		return value_a > value_b ? -1 : 1;
	return strcmp(row_name(a), row_name(b));
}

struct time_figures component_summary_rest(const struct component_summary *summary, size_t first)
{
	struct time_figures sum = { 0 };

	for (size_t i = first; i < summary->row_count; i++)
		time_figures_add(&sum, &summary->rows[i].figures);
	return sum;
}

/* One for each component, and behind them one for each reason why it is not known. NULL without memory. */
static struct component_row *make_rows(const struct places *places)
{
	size_t count = places->component_count;
	struct component_row *rows = calloc(count + SCALER_STACK_ENDS, sizeof(*rows));

	for (size_t i = 0; i < count && rows; i++)
		rows[i].component = &places->components[i];
	for (int end = 0; end < SCALER_STACK_ENDS && rows; end++)
		rows[count + (size_t)end].cut = stack_end_text((enum scaler_stack_end)end);
	return rows;
}

/* Where the time of one with those frames goes. */
static struct time_figures *find_figures(struct component_row *rows, const struct frames *frames,
					 enum component_of component_of)
{
	struct attribution to = attribution_find(frames, component_of);

	if (to.component == PLACE_NONE)
		return &rows[frames->places->component_count + (size_t)to.cut].figures;
	return &rows[to.component].figures;
}

static void add_all(struct profile *profile, const struct places *places, const struct outside *outside,
		    enum component_of component_of, struct component_row *rows)
{
	for (size_t i = 0; i < profile->call_count; i++) {
		const struct profile_call *call = &profile->calls[i];
		struct frames frames = frames_of_call(profile, places, &call->key);

		time_figures_add_call(find_figures(rows, &frames, component_of), call);
	}
	for (size_t i = 0; i < outside->row_count; i++) {
		const struct outside_row *row = &outside->rows[i];
		struct frames frames = frames_of_sample(profile, places, row->sample);

		if (frames.count)
			time_figures_add_samples(find_figures(rows, &frames, component_of), row->samples,
						 row->running_ns);
	}
}

int component_summary_make(struct profile *profile, const struct places *places,
			   const struct outside *outside, const struct report_options *options,
			   struct component_summary *summary)
{
	size_t count = places->component_count + SCALER_STACK_ENDS;
	enum sort_key sort = sort_key_for(options, PART_COMPONENTS);
	struct component_row *rows = make_rows(places);

	*summary = (struct component_summary){ .rows = rows };
	if (!rows)
		return -ENOMEM;
	add_all(profile, places, outside, options->component_of, rows);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].figures.calls || rows[i].figures.total_ns)
			rows[summary->row_count++] = rows[i];
	}
	qsort_r(rows, summary->row_count, sizeof(*rows), compare_rows, &sort);
	summary->total = component_summary_rest(summary, 0);
	summary->outside = outside_rest(outside, &summary->total);
	time_figures_add(&summary->total, &summary->outside);
	return 0;
}

void component_summary_clear(struct component_summary *summary)
{
	free(summary->rows);
	*summary = (struct component_summary){ 0 };
}
