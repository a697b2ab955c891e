// SPDX-License-Identifier: GPL-2.0-only
/* Times and counts of what code did, as JSON. */
#include "render/json_figures.h"

#include "render/json_values.h"

json_t *json_blocked(const struct time_figures *figures)
{
	json_t *object = json_object();

	for (int category = 0; category < CATEGORY_COUNT; category++) {
		uint64_t blocked_ns = figures->categories[category].blocked_ns;

		if (blocked_ns &&
		    json_object_set_new(object, syscall_category_name(category), json_number(blocked_ns))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *call_sum_object(const struct call_sum *sum)
{
	return json_pack("{s:o, s:o, s:o}", "calls", json_number(sum->calls), "total_ns",
			 json_number(sum->total_ns), "blocked_ns", json_number(sum->blocked_ns));
}

json_t *json_sampled(const struct outside *outside, const struct time_figures *figures)
{
	struct estimate estimate = outside_estimate(outside, figures);

	if (!outside->samples)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o}", "samples", json_number(figures->samples), "running_ns",
			 json_number(estimate.ns), "low_ns", json_number(estimate.low_ns), "high_ns",
			 json_number(estimate.high_ns));
}

/* An end of a range that is not known is null. */
static json_t *range_object(const struct sampled_range *range)
{
	return json_pack("{s:o, s:o}", "low", json_number(range->low), "high",
			 range->high == UINT64_MAX ? json_null() : json_number(range->high));
}

json_t *json_call_ranges(const struct sampled_frame *frame, const struct sampled_sums *sums, uint64_t count,
			 uint64_t total_ns)
{
	struct sampled_range counts, times;

	if (!sampled_is_part(sums))
		return json_null();
	counts = sampled_find_count(frame, sums, count);
	times = sampled_find_time(frame, sums, total_ns);
	return json_pack("{s:o, s:o}", "count", range_object(&counts), "total_ns", range_object(&times));
}

json_t *json_categories(const struct time_figures *figures)
{
	json_t *object = json_object();

	for (int category = 0; category < CATEGORY_COUNT; category++) {
		const struct call_sum *sum = &figures->categories[category];

		if (sum->calls &&
		    json_object_set_new(object, syscall_category_name(category), call_sum_object(sum))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}
