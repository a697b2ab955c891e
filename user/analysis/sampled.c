// SPDX-License-Identifier: GPL-2.0-only
/* How sure figures of calls are that were recorded in windows. */
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
/* The same of probes, as tests/live/test_probe_windows.py finds it: the tracer's own calls find their code in the caches. */
#define PROBE_UNSURE 0.2
/* Where probes take more than that for each nanosecond that the threads run themselves, who knows how often they are hit. */
#define PROBES_MOST 2.0

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

void sampled_sums_add_library_row(struct sampled_sums *sum, const struct scaler_call_stats *stats,
				  bool nested)
{
	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		sum->count[group] += stats->sampled[group].count;
		sum->running_ns[group] += nested ? 0 : stats->sampled[group].running_ns;
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
	if (more->rest > sum->rest)
		sum->rest = more->rest;
}

bool sampled_any(const struct sampled_sums *sums)
{
	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		if (sums->count[group] || sums->running_ns[group])
			return true;
	}
	return sums->unseen;
}

bool sampled_is_part(const struct sampled_sums *sums)
{
	return sums->rest != SAMPLED_NOTHING || sampled_any(sums);
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

struct sampled_frame sampled_frame_make_of_library(const struct profile *profile)
{
	struct sampled_frame frame = { .sampling = profile->library_sampling, .is_of_library = true };

	for (size_t i = 0; i < profile->library_call_count; i++) {
		for (int group = 0; group < SCALER_WINDOW_GROUPS; group++)
			frame.recorded[group] += profile->library_calls[i].stats.sampled[group].count;
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
	return (double)sum * (frame->is_of_library ? sampling_time_ratio(&rest.sampling) :
						     sampling_ratio(&rest.sampling, recorded));
}

/* What the threads ran in windows without the tracer, and what that took, as it was; and the first by the windows' weights. */
struct window_times {
	double counted_ns, counting_ns, recorded_ns;
};

static struct window_times sum_windows(const struct sampled_frame *frame)
{
	struct window_times sum = { 0 };

	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		sum.counting_ns += (double)frame->sampling.groups[group].counting_ns;
		sum.counted_ns += (double)frame->sampling.groups[group].counted_ns;
		sum.recorded_ns += (double)frame->sampling.groups[group].recorded_ns;
	}
	return sum;
}

/* How wrong an estimate may be because of what is not known of the cost of counting: INFINITY, by any amount. */
static double cost_error(const struct sampled_frame *frame, double estimate, bool is_high)
{
	const struct window_times windows = sum_windows(frame);
	double unsure = frame->is_of_library ? PROBE_UNSURE : COST_UNSURE;
	double ratio = windows.counted_ns > 0 ? windows.counting_ns / windows.counted_ns : 0;
	double part = unsure * ratio;

	if (!frame->is_of_library)
		return estimate * part;
	/* Library calls are counted and recorded at once: it is in what they are divided by. */
	if (!is_high)
		return estimate * part / (1 + part);
	return ratio < PROBES_MOST ? estimate * part / (1 - part) : INFINITY;
}

static struct sampled_range find_range(const struct sampled_frame *frame,
				       const uint64_t groups[SCALER_WINDOW_GROUPS], uint64_t value)
{
	double estimate = estimate_without(frame, groups, -1), sum = 0, squares = 0, low, high, variance;
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
	variance *= pow(student_t[used - 2], 2);
	low = sqrt(variance + pow(cost_error(frame, estimate, false), 2));
	high = sqrt(variance + pow(cost_error(frame, estimate, true), 2));
	return (struct sampled_range){ (uint64_t)(exact + fmax(estimate - low, 0)),
				       isinf(high) ? UINT64_MAX : (uint64_t)ceil(exact + estimate + high) };
}

/* The rule of three: more calls than these would hardly have been missed in all windows. */
#define MISSED_MOST 3

/* Calls that stand for as many as a window's weight, on average. */
static uint64_t most_missed(const struct sampled_frame *frame, const struct sampled_sums *sums)
{
	const struct window_times windows = sum_windows(frame);

	if (windows.counted_ns > 0 && sums->rest != SAMPLED_NO_MORE)
		return (uint64_t)ceil(MISSED_MOST * sampling_time_ratio(&frame->sampling) *
				      windows.recorded_ns / windows.counted_ns);
	return sums->rest == SAMPLED_NOTHING ? 0 : UINT64_MAX;
}

/* By how much the time of calls, by their groups, may be wrong because their probes were in it. */
static uint64_t timing_error(const struct sampled_frame *frame, const uint64_t counts[SCALER_WINDOW_GROUPS])
{
	const struct window_times windows = sum_windows(frame);
	double recorded = 0, counted = 0, counting_ns;

	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		recorded += (double)frame->recorded[group];
		counted += (double)counts[group];
	}
	if (windows.counted_ns <= 0 || recorded <= 0)
		return 0;
	/* Had all of them had probes. */
	counting_ns = windows.counting_ns * windows.recorded_ns / windows.counted_ns *
		      sampling_time_ratio(&frame->sampling);
	return (uint64_t)ceil(PROBE_UNSURE * counting_ns * counted / recorded);
}

static struct sampled_range widen(struct sampled_range range, uint64_t fewer, uint64_t more)
{
	range.low = range.low > fewer ? range.low - fewer : 0;
	range.high = range.high < UINT64_MAX - more ? range.high + more : UINT64_MAX;
	return range;
}

struct sampled_range sampled_find_count(const struct sampled_frame *frame, const struct sampled_sums *sums,
					uint64_t value)
{
	return widen(find_range(frame, sums->count, value), sums->fewer,
		     frame->is_of_library ? most_missed(frame, sums) : sums->more);
}

struct sampled_range sampled_find_time(const struct sampled_frame *frame, const struct sampled_sums *sums,
				       uint64_t value_ns)
{
	uint64_t unsure_ns = frame->is_of_library ? timing_error(frame, sums->count) : 0;
	/* Of calls that there may have been nothing tells how long they took. */
	bool has_missed = sums->rest == SAMPLED_NO_MORE || (sums->rest && !sampled_any(sums));

	return widen(find_range(frame, sums->running_ns, value_ns), unsure_ns,
		     has_missed ? UINT64_MAX : unsure_ns);
}
