// SPDX-License-Identifier: GPL-2.0-only
/* How sure figures of system calls are that were recorded in windows. */
#include "analysis/sampled.h"

#include <math.h>

#include "model/call_stats.h"
#include "model/sampled_calls.h"

/* Student's t by its degrees of freedom, from 1: 95 % lie within that number of standard errors. */
static const double student_t[SCALER_WINDOW_GROUPS] = { 12.706, 4.303, 3.182, 2.776,
							2.571,  2.447, 2.365, 2.306 };
/*
 * What counting a call costs is measured on the tracer's own calls, and the threads may not be slower by it: who waits for
 * a time by looking at the clock is not.
 */
#define COST_UNSURE 1.0

/* From this number of calls on that slept it is known how often they do. */
#define SLEPT_ENOUGH 10

void sampled_sums_add_row(struct sampled_sums *sum, const struct scaler_call_stats *stats)
{
	uint64_t unseen = call_stats_unseen_calls(stats);

	sum->unseen += unseen;
	if (unseen && stats->slept < SLEPT_ENOUGH) {
		sum->fewer += unseen - 1;
		sum->more += stats->unseen_sleeps - unseen;
	}
	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		sum->count[group] += stats->sampled[group].count;
		sum->running_ns[group] += stats->sampled[group].running_ns;
	}
}

void sampled_sums_add(struct sampled_sums *sum, const struct sampled_sums *more)
{
	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		sum->count[group] += more->count[group];
		sum->running_ns[group] += more->running_ns[group];
	}
	sum->unseen += more->unseen;
	sum->fewer += more->fewer;
	sum->more += more->more;
}

bool sampled_any(const struct sampled_sums *sums)
{
	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		if (sums->count[group] || sums->running_ns[group])
			return true;
	}
	return sums->unseen;
}

struct sampled_frame sampled_frame_make(const struct profile *profile)
{
	struct sampled_frame frame = { .sampling = profile->sampling };

	for (size_t i = 0; i < profile->call_count; i++) {
		for (int group = 0; group < SCALER_WINDOW_GROUPS; group++)
			frame.recorded[group] += profile->calls[i].stats.sampled[group].count;
	}
	return frame;
}

static bool group_is_used(const struct sampled_frame *frame, int group)
{
	return frame->sampling.groups[group].recorded_ns;
}

/* By all groups but one. */
static double estimate_without(const struct sampled_frame *frame, const uint64_t groups[SCALER_WINDOW_GROUPS],
			       int omitted)
{
	struct sampled_frame rest = *frame;
	uint64_t recorded = 0, sum = 0;

	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		if (group == omitted)
			continue;
		recorded += frame->recorded[group];
		sum += groups[group];
	}
	if (omitted >= 0)
		rest.sampling.groups[omitted] = (struct scaler_window_sums){ 0 };
	return (double)sum * sampling_ratio(&rest.sampling, recorded);
}

/* Of the estimate's square error, what the cost of counting adds. */
static double cost_error(const struct sampled_frame *frame, double estimate)
{
	double counting_ns = 0, counted_ns = 0;

	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		counting_ns += (double)frame->sampling.groups[group].counting_ns;
		counted_ns += (double)frame->sampling.groups[group].counted_ns;
	}
	return counted_ns > 0 ? pow(estimate * COST_UNSURE * counting_ns / counted_ns, 2) : 0;
}

static struct sampled_range find_range(const struct sampled_frame *frame,
				       const uint64_t groups[SCALER_WINDOW_GROUPS], uint64_t value)
{
	double estimate = estimate_without(frame, groups, -1), sum = 0, squares = 0, half, variance;
	double exact = fmax((double)value - estimate, 0);
	int used = 0;

	if (estimate <= 0)
		return (struct sampled_range){ value, value };

	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		double without;

		if (!group_is_used(frame, group))
			continue;
		without = estimate_without(frame, groups, group);
		sum += without;
		squares += without * without;
		used++;
	}
	if (used < 2)
		return (struct sampled_range){ (uint64_t)exact, UINT64_MAX };
	variance = fmax(squares - sum * sum / used, 0) * (used - 1) / used;
	half = sqrt(variance * pow(student_t[used - 2], 2) + cost_error(frame, estimate));
	return (struct sampled_range){ (uint64_t)(exact + fmax(estimate - half, 0)),
				       (uint64_t)ceil(exact + estimate + half) };
}

struct sampled_range sampled_find_count(const struct sampled_frame *frame, const struct sampled_sums *sums,
					uint64_t value)
{
	struct sampled_range range = find_range(frame, sums->count, value);

	range.low = range.low > sums->fewer ? range.low - sums->fewer : 0;
	range.high = range.high < UINT64_MAX - sums->more ? range.high + sums->more : UINT64_MAX;
	return range;
}

struct sampled_range sampled_find_time(const struct sampled_frame *frame, const struct sampled_sums *sums,
				       uint64_t value_ns)
{
	return find_range(frame, sums->running_ns, value_ns);
}
