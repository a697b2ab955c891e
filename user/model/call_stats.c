// SPDX-License-Identifier: GPL-2.0-only
/* Sums and differences of the figures of calls. */
#include "model/call_stats.h"

#include <math.h>
#include <stdint.h>

#include <scaler/histogram.h>

void call_stats_add_partial(struct scaler_partial_calls *sum, const struct scaler_partial_calls *more)
{
	sum->count += more->count;
	sum->total_ns += more->total_ns;
	sum->runnable_ns += more->runnable_ns;
	sum->blocked_ns += more->blocked_ns;
}

void call_stats_add(struct scaler_call_stats *sum, const struct scaler_call_stats *more)
{
	sum->count += more->count;
	sum->errors += more->errors;
	sum->untimed += more->untimed;
	sum->inner.total_ns += more->inner.total_ns;
	sum->inner.runnable_ns += more->inner.runnable_ns;
	sum->inner.blocked_ns += more->inner.blocked_ns;
	sum->total_ns += more->total_ns;
	sum->runnable_ns += more->runnable_ns;
	sum->blocked_ns += more->blocked_ns;
	call_stats_add_partial(&sum->partial, &more->partial);
	sum->parts += more->parts;
	sum->unseen_sleeps += more->unseen_sleeps;
	sum->slept += more->slept;
	sum->sleeps += more->sleeps;
	sum->sampled_untimed += more->sampled_untimed;
	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		sum->sampled[group].count += more->sampled[group].count;
		sum->sampled[group].running_ns += more->sampled[group].running_ns;
	}
	if (more->max_ns > sum->max_ns) {
		sum->max_ns = more->max_ns;
		sum->max_start_ns = more->max_start_ns;
	}
	for (uint32_t bucket = 0; bucket < SCALER_BUCKETS; bucket++) {
		uint64_t count = (uint64_t)sum->buckets[bucket] + more->buckets[bucket];

		sum->buckets[bucket] = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	}
}

struct scaler_sampled_calls call_stats_sampled(const struct scaler_call_stats *stats)
{
	struct scaler_sampled_calls sum = { 0 };

	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		sum.count += stats->sampled[group].count;
		sum.running_ns += stats->sampled[group].running_ns;
	}
	return sum;
}

bool call_stats_is_sampled(const struct scaler_call_stats *stats)
{
	const struct scaler_sampled_calls sum = call_stats_sampled(stats);

	return sum.count || sum.running_ns || stats->unseen_sleeps;
}

uint64_t call_stats_unseen_calls(const struct scaler_call_stats *stats)
{
	if (!stats->slept)
		return stats->unseen_sleeps;
	return (uint64_t)llround((double)stats->unseen_sleeps * (double)stats->slept / (double)stats->sleeps);
}

uint64_t call_stats_additions(const struct scaler_call_stats *stats)
{
	return stats->count + stats->partial.count + stats->parts + call_stats_sampled(stats).count;
}

/* The longest of the calls that came since: what the whole row's longest leaves open, its bucket tells. */
static void find_longest(const struct scaler_call_stats *before, struct scaler_call_stats *since)
{
	uint64_t longest_ns = since->max_ns;

	if (since->max_ns != before->max_ns || since->max_start_ns != before->max_start_ns)
		return;
	since->max_ns = 0;
	since->max_start_ns = 0;
	for (uint32_t bucket = SCALER_BUCKETS; bucket-- && !since->max_ns;) {
		if (since->buckets[bucket])
			since->max_ns = bucket + 1 < SCALER_BUCKETS ? scaler_bucket_floor_ns(bucket + 1) - 1 :
								      longest_ns;
	}
	if (since->max_ns > longest_ns)
		since->max_ns = longest_ns;
}

struct scaler_call_stats call_stats_since(const struct scaler_call_stats *before,
					  const struct scaler_call_stats *after)
{
	struct scaler_call_stats since = *after;

	since.count -= before->count;
	since.errors -= before->errors;
	since.untimed -= before->untimed;
	since.inner.total_ns -= before->inner.total_ns;
	since.inner.runnable_ns -= before->inner.runnable_ns;
	since.inner.blocked_ns -= before->inner.blocked_ns;
	since.total_ns -= before->total_ns;
	since.runnable_ns -= before->runnable_ns;
	since.blocked_ns -= before->blocked_ns;
	since.partial.count -= before->partial.count;
	since.partial.total_ns -= before->partial.total_ns;
	since.partial.runnable_ns -= before->partial.runnable_ns;
	since.partial.blocked_ns -= before->partial.blocked_ns;
	since.parts -= before->parts;
	since.unseen_sleeps -= before->unseen_sleeps;
	since.slept -= before->slept;
	since.sleeps -= before->sleeps;
	since.sampled_untimed -= before->sampled_untimed;
	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++) {
		since.sampled[group].count -= before->sampled[group].count;
		since.sampled[group].running_ns -= before->sampled[group].running_ns;
	}
	for (uint32_t bucket = 0; bucket < SCALER_BUCKETS; bucket++)
		since.buckets[bucket] -= before->buckets[bucket];
	find_longest(before, &since);
	return since;
}
