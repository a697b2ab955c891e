// SPDX-License-Identifier: GPL-2.0-only
/* What windows stand for. */
#include "model/sampled_calls.h"

#include <math.h>

#include "model/call_stats.h"
#include "model/row_order.h"

struct scaler_sampling sampling_since(const struct scaler_sampling *before,
				      const struct scaler_sampling *after)
{
	struct scaler_sampling since = *after;

	since.unseen_ns -= before->unseen_ns;
	since.known_calls -= before->known_calls;
	since.windows -= before->windows;
	for (int i = 0; i < SCALER_WINDOW_GROUPS; i++) {
		since.groups[i].counted_calls -= before->groups[i].counted_calls;
		since.groups[i].counted_ns -= before->groups[i].counted_ns;
		since.groups[i].counting_ns -= before->groups[i].counting_ns;
		since.groups[i].recorded_ns -= before->groups[i].recorded_ns;
	}
	return since;
}

static void sums_add(struct scaler_window_sums *sum, const struct scaler_window_sums *more)
{
	sum->counted_calls += more->counted_calls;
	sum->counted_ns += more->counted_ns;
	sum->counting_ns += more->counting_ns;
	sum->recorded_ns += more->recorded_ns;
}

void sampling_add(struct scaler_sampling *sum, const struct scaler_sampling *more)
{
	sum->unseen_ns += more->unseen_ns;
	sum->known_calls += more->known_calls;
	sum->windows += more->windows;
	for (int i = 0; i < SCALER_WINDOW_GROUPS; i++)
		sums_add(&sum->groups[i], &more->groups[i]);
}

double sampling_ratio(const struct scaler_sampling *sampling, uint64_t recorded_calls)
{
	struct scaler_window_sums sum = { 0 };
	double rate = 0;

	for (int i = 0; i < SCALER_WINDOW_GROUPS; i++)
		sums_add(&sum, &sampling->groups[i]);
	if (sum.counted_calls && sum.counted_ns)
		rate = (double)sum.counted_calls / (double)sum.counted_ns;
	else if (sum.recorded_ns)
		rate = (double)recorded_calls / (double)sum.recorded_ns;
	return recorded_calls ? ((double)sampling->known_calls + rate * (double)sampling->unseen_ns) /
					(double)recorded_calls :
				1;
}

static uint64_t count_recorded(const struct profile *interval)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < interval->call_count; i++)
		calls += call_stats_sampled(&interval->calls[i].stats).count;
	return calls;
}

/* Errors were counted with the weights of their windows, as calls were. *at: the first error that may be of the row. */
static void estimate_errors(struct profile *interval, const struct profile_call *call, double factor,
			    size_t *at)
{
	int order;

	for (; *at < interval->error_count; (*at)++) {
		struct profile_error *error = &interval->errors[*at];

		order = row_order_error_to_call(error, call);
		if (order > 0)
			return;
		if (!order)
			error->count = (uint64_t)llround((double)error->count * factor);
	}
}

double sampling_time_ratio(const struct scaler_sampling *sampling)
{
	uint64_t recorded_ns = 0;

	for (int i = 0; i < SCALER_WINDOW_GROUPS; i++)
		recorded_ns += sampling->groups[i].recorded_ns;
	return recorded_ns ? (double)sampling->unseen_ns / (double)recorded_ns : 1;
}

/* A part of it, which was estimated otherwise. */
static void clamp(__u64 *part_ns, uint64_t whole_ns)
{
	if (*part_ns > whole_ns)
		*part_ns = whole_ns;
}

static void estimate_library_call(struct scaler_call_stats *stats, double ratio)
{
	const struct scaler_sampled_calls sampled = call_stats_sampled(stats);
	double timed = (double)(sampled.count - stats->sampled_untimed);

	stats->count += (uint64_t)llround(timed * ratio);
	stats->untimed += (uint64_t)llround((double)stats->sampled_untimed * ratio);
	stats->total_ns += (uint64_t)llround((double)sampled.running_ns * ratio);
	clamp(&stats->inner.total_ns, stats->total_ns + stats->partial.total_ns);
	clamp(&stats->runnable_ns, stats->total_ns);
	clamp(&stats->blocked_ns, stats->total_ns - stats->runnable_ns);
}

void sampled_calls_estimate(struct profile *interval)
{
	double library_ratio = sampling_time_ratio(&interval->library_sampling);
	double ratio = sampling_ratio(&interval->sampling, count_recorded(interval));
	size_t error = 0;

	for (size_t i = 0; i < interval->call_count; i++) {
		struct scaler_call_stats *stats = &interval->calls[i].stats;
		const struct scaler_sampled_calls sampled = call_stats_sampled(stats);
		double counted = (double)(stats->count + sampled.count), factor;

		if (!call_stats_is_sampled(stats))
			continue;
		stats->count +=
			(uint64_t)llround((double)sampled.count * ratio) + call_stats_unseen_calls(stats);
		stats->total_ns += (uint64_t)llround((double)sampled.running_ns * ratio);
		factor = counted > 0 ? (double)stats->count / counted : 1;
		stats->errors = (uint64_t)llround((double)stats->errors * factor);
		estimate_errors(interval, &interval->calls[i], factor, &error);
	}
	for (size_t i = 0; i < interval->library_call_count; i++) {
		if (call_stats_is_sampled(&interval->library_calls[i].stats))
			estimate_library_call(&interval->library_calls[i].stats, library_ratio);
	}
}
