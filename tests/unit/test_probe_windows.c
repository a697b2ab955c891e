// SPDX-License-Identifier: GPL-2.0-only
/* Figures of library calls that were recorded in windows: estimates and their ranges at made-up rates. */
#include <criterion/criterion.h>

#include <scaler/call_window.h>

#include "model/sampled_calls.h"
#include "ranges.h"

#define MS 1000000ULL
/* A window of 4 ms in each 80. */
#define WINDOW_NS (4 * MS)
#define WEIGHT    20

static const struct scaler_call_key key = { .task = 1, .id = { .abi = SCALER_ABI_LIBRARY } };

static struct sampled_range find_count(const struct profile *profile)
{
	const struct scaler_call_stats *stats = &profile->library_calls[0].stats;
	const struct sampled_frame frame = sampled_frame_make_of_library(profile);
	struct sampled_sums sums = { 0 };

	sampled_sums_add_library_row(&sums, stats, false);
	return sampled_find_count(&frame, &sums, stats->count + stats->untimed);
}

/*
 * Of a program that runs all the time, and calls at a rate that changes every 4 ms of its own: once in 2 to 10 us. A hit
 * takes 1 us. Returns whether the range holds the true number.
 */
static bool run_holds(int windows)
{
	struct profile profile = { .library_sampling = { .windows = (uint64_t)windows } };
	struct scaler_sampling *sampling = &profile.library_sampling;
	struct scaler_call_stats stats = { 0 };
	struct sampled_range range;
	double truth = 0;

	for (int i = 0; i < windows; i++) {
		struct scaler_window_sums *group = &sampling->groups[i % SCALER_WINDOW_GROUPS];

		for (int stretch = 0; stretch < WEIGHT; stretch++) {
			uint64_t calls = (uint64_t)(4000 / (2 + 8 * chance()));

			truth += (double)calls;
			if (stretch != 7)
				continue;
			stats.sampled[i % SCALER_WINDOW_GROUPS].count += WEIGHT * calls;
			group->counting_ns += calls * 1000;
		}
		sampling->unseen_ns += WEIGHT * WINDOW_NS;
		group->counted_ns += WINDOW_NS;
		group->recorded_ns += WEIGHT * WINDOW_NS;
	}
	cr_assert_eq(profile_add_call(&profile, &key, &stats), 0);
	sampled_calls_estimate(&profile);
	range = find_count(&profile);
	profile_clear(&profile);
	return range_holds(&range, truth);
}

/* More often than 95 of 100 times, because what a hit takes is known here. */
Test(probe_windows, ranges_hold_the_truth)
{
	expect_held(run_holds, 930, 1001);
}

/* In two windows, in which the program ran for 1 ms itself and was probed for some more. */
static struct profile make_profile(uint64_t counting_ns, const struct scaler_call_stats *stats)
{
	struct profile profile = { .library_sampling = { .windows = 2, .unseen_ns = 40 * MS } };

	for (int group = 0; group < 2; group++)
		profile.library_sampling.groups[group] = (struct scaler_window_sums){
			.counted_ns = MS, .counting_ns = counting_ns, .recorded_ns = 10 * MS
		};
	cr_assert_eq(profile_add_call(&profile, &key, stats), 0);
	sampled_calls_estimate(&profile);
	return profile;
}

Test(probe_windows, calls_of_windows_stand_for_others)
{
	struct scaler_call_stats stats = {
		.count = 7, .untimed = 1, .total_ns = 700, .sampled_untimed = 100
	};
	struct profile profile;

	for (int group = 0; group < 2; group++)
		stats.sampled[group] = (struct scaler_sampled_calls){ .count = 300, .running_ns = 30000 };
	stats.inner.total_ns = 1000000;
	profile = make_profile(MS / 10, &stats);
	/* Twice as much time as the windows had by their weights: so do its 500 timed calls and 100 others. */
	cr_expect_eq(profile.library_calls[0].stats.count, 7 + 1000);
	cr_expect_eq(profile.library_calls[0].stats.untimed, 1 + 200);
	cr_expect_eq(profile.library_calls[0].stats.total_ns, 700 + 120000);
	/* What is in other calls is no more than there is. */
	cr_expect_eq(profile.library_calls[0].stats.inner.total_ns, 700 + 120000);
	profile_clear(&profile);
}

Test(probe_windows, nobody_knows_how_often_what_cannot_be_hit_so_often)
{
	struct scaler_call_stats stats = { 0 };
	struct sampled_range cheap, dear;
	struct profile profile;

	for (int group = 0; group < 2; group++)
		stats.sampled[group].count = 300;
	profile = make_profile(MS / 10, &stats);
	cheap = find_count(&profile);
	profile_clear(&profile);
	profile = make_profile(3 * MS, &stats);
	dear = find_count(&profile);
	profile_clear(&profile);
	/* 1,200 by both windows alike; three that were missed would have stood for 20 each. */
	cr_expect_eq(cheap.low, (uint64_t)(1200 / 1.02));
	cr_expect_geq(cheap.high, 1224 + 60);
	cr_expect_leq(cheap.high, 1225 + 60);
	cr_expect_lt(dear.low, cheap.low);
	cr_expect_eq(dear.high, UINT64_MAX);
}

/* Of which there were none in windows: no more than three may have been missed. */
Test(probe_windows, rare_calls)
{
	const struct scaler_call_stats stats = { .count = 5 };
	struct profile profile = make_profile(0, &stats);
	struct sampled_range range = find_count(&profile);

	cr_expect_eq(range.low, 5);
	cr_expect_eq(range.high, 5 + 3 * 20);
	profile_clear(&profile);
}
