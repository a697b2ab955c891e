// SPDX-License-Identifier: GPL-2.0-only
/* What of the threads' lives is in no recorded system call. */
#include "analysis/outside.h"

#include <errno.h>
#include <stdlib.h>

static struct time_figures sum_calls(const struct profile *profile)
{
	struct time_figures sum = { 0 };

	for (size_t i = 0; i < profile->call_count; i++)
		time_figures_add_call(&sum, &profile->calls[i]);
	return sum;
}

static struct time_figures find_whole(const struct thread_figures *lives, const struct time_figures *in_calls)
{
	struct time_figures whole = { 0 };

	for (int state = 0; state < SCALER_STATE_COUNT; state++) {
		if (lives->time_ns[state] > in_calls->time_ns[state])
			whole.time_ns[state] = lives->time_ns[state] - in_calls->time_ns[state];
		whole.total_ns += whole.time_ns[state];
	}
	return whole;
}

/* What so many of all samples stand for, of a time that may be as long as multiplying by them overflows. */
static uint64_t part_of(uint64_t all_ns, uint64_t samples, uint64_t all_samples)
{
	return all_ns / all_samples * samples + all_ns % all_samples * samples / all_samples;
}

/* By the sums up to each row, so that what rounding takes from one is the next one's. */
static void divide_running(struct outside *outside)
{
	uint64_t samples = 0, before_ns = 0;

	for (size_t i = 0; i < outside->row_count; i++) {
		struct outside_row *row = &outside->rows[i];
		uint64_t up_to_ns;

		samples += row->samples;
		up_to_ns = part_of(outside->whole.time_ns[SCALER_RUNNING], samples, outside->samples);
		row->running_ns = up_to_ns - before_ns;
		before_ns = up_to_ns;
	}
}

int outside_make(const struct profile *profile, const struct thread_figures *lives, struct outside *outside)
{
	const struct samples *samples = &profile->samples;
	struct time_figures in_calls = sum_calls(profile);

	*outside = (struct outside){ .rows = calloc(samples->rows.count + 1, sizeof(*outside->rows)),
				     .whole = find_whole(lives, &in_calls) };
	if (!outside->rows)
		return -ENOMEM;
	for (size_t i = 0; i < samples->rows.count; i++) {
		const struct sample_row *row = &samples_rows(samples)[i];

		if (row->sample.kind == SCALER_SAMPLE_IN_CALL)
			continue;
		outside->rows[outside->row_count++] =
			(struct outside_row){ .sample = &row->sample, .samples = row->count };
		outside->samples += row->count;
	}
	divide_running(outside);
	return 0;
}

void outside_clear(struct outside *outside)
{
	free(outside->rows);
	*outside = (struct outside){ 0 };
}

struct estimate outside_estimate(const struct outside *outside, const struct time_figures *figures)
{
	struct estimate estimate = { 0 };

	if (outside->samples)
		estimate = estimate_time(figures->samples, outside->samples,
					 outside->whole.time_ns[SCALER_RUNNING]);
	estimate.ns = figures->sampled_ns;
	return estimate;
}

struct time_figures outside_rest(const struct outside *outside, const struct time_figures *figures)
{
	struct time_figures rest = outside->whole;

	rest.total_ns -= figures->sampled_ns;
	rest.time_ns[SCALER_RUNNING] -= figures->sampled_ns;
	return rest;
}
