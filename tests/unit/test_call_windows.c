// SPDX-License-Identifier: GPL-2.0-only
/* System calls in windows: what each window counts, when calls are recorded so, and how sure the figures are. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "model/sampled_calls.h"
#include "ranges.h"
#include "plan/call_budget.h"

#define MS 1000000ULL

Test(call_windows, of_a_call_only_what_is_on_a_cpu_in_its_window_counts)
{
	struct scaler_call_window window = { .stamp = scaler_window_stamp(3, 10) };
	struct scaler_open_call call = { .enter_ns = 1000, .window = window.stamp };

	window.closed_ns[3] = 1800;
	/* It ran all the time, and 200 ns of that after the end. */
	cr_expect_eq(scaler_call_running_in_window(&call, &window, 1000, 900, 2000), 800);
	/* It slept from before the end on, and was back on a CPU at 1950. */
	cr_expect_eq(scaler_call_running_in_window(&call, &window, 350, 1950, 2000), 300);
	window.closed_ns[3] = ~0ULL;
	cr_expect_eq(scaler_call_running_in_window(&call, &window, 1000, 900, 2000), 1000);
}

Test(call_windows, a_call_that_was_not_seen_to_end_lasted_as_long_as_its_window)
{
	struct scaler_call_window window = { .stamp = scaler_window_stamp(9, 10), .is_open = 1 };
	struct scaler_open_call call = { .enter_ns = 1000, .window = scaler_window_stamp(3, 10) };

	window.closed_ns[3] = 1800;
	cr_expect(scaler_call_is_stale(&call, &window));
	cr_expect_eq(scaler_call_seen_ns(&call, &window, 900, 5000), 1800);
	/* It was switched in again in it. */
	cr_expect_eq(scaler_call_seen_ns(&call, &window, 2500, 5000), 2500);
	cr_expect_eq(scaler_call_seen_ns(&call, &window, 900, 1500), 1500);
	/* The time is another window's by now. */
	window.stamp = scaler_window_stamp(11, 10);
	cr_expect_eq(scaler_call_seen_ns(&call, &window, 900, 5000), 1000);
	call.window = window.stamp;
	cr_expect_not(scaler_call_is_stale(&call, &window));
	window.is_open = 0;
	cr_expect(scaler_call_is_stale(&call, &window));
}

/* One CPU that runs all the time, at so much spent on calls of each ms of its own that is recorded. */
struct load {
	struct scaler_spending now;
	double rate;
	double others; /* the same of all else, in every ms */
};

static void run(struct load *load, uint64_t ns, bool is_recorded)
{
	double calls_ns = is_recorded ? (double)ns * load->rate / (1 + load->rate) : 0;

	load->now.time_ns += ns;
	load->now.running_ns += ns;
	load->now.spent_ns[SCALER_COST_CALLS] += (uint64_t)calls_ns;
	load->now.spent_ns[SCALER_COST_SWITCHES] += (uint64_t)((double)ns * load->others);
}

/* Goes on for so long as the tracer would. */
static void go_on(struct call_budget *budget, struct load *load, uint64_t ns)
{
	uint64_t end_ns = load->now.time_ns + ns;

	while (load->now.time_ns < end_ns) {
		struct scaler_spending opened, closed;
		uint64_t period_ns = budget->weight * 5 * MS;

		if (budget->weight == 1) {
			run(load, 20 * MS, true);
			call_budget_look(budget, &load->now);
			continue;
		}
		period_ns = period_ns < 60 * MS ? 60 * MS : period_ns;
		run(load, period_ns / 3, false);
		opened = load->now;
		run(load, period_ns / budget->weight, true);
		closed = load->now;
		run(load, period_ns - period_ns / 3 - period_ns / budget->weight, false);
		call_budget_look_at_window(budget, &opened, &closed, &load->now);
	}
}

static double overhead(const struct load *load)
{
	return (double)scaler_spending_sum_ns(&load->now) / (double)scaler_spending_own_ns(&load->now);
}

Test(call_windows, within_the_budget_all_calls_are_recorded)
{
	struct load load = { .rate = 0.03, .others = 0.01 };
	struct call_budget budget;

	call_budget_make(&budget, 0.05, &load.now);
	go_on(&budget, &load, 10000 * MS);
	cr_expect_eq(budget.weight, 1);
}

Test(call_windows, the_budget_is_kept_whatever_calls_cost)
{
	static const double rates[] = { 0.08, 0.3, 1, 3 };

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		struct load load = { .rate = rates[i], .others = 0.005 };
		struct call_budget budget;

		call_budget_make(&budget, 0.05, &load.now);
		go_on(&budget, &load, 10000 * MS);
		cr_expect_gt(budget.weight, 1);
		cr_expect_lt(overhead(&load), 0.05 + 0.005, "%g takes %g", rates[i], overhead(&load));
		/* It is made use of. */
		cr_expect_gt(overhead(&load), 0.03, "%g takes %g", rates[i], overhead(&load));
	}
}

/* A budget by which calls of such a load are recorded in windows. */
static struct call_budget exhaust(struct load *load)
{
	struct call_budget budget;

	call_budget_make(&budget, 0.05, &load->now);
	go_on(&budget, load, 3000 * MS);
	cr_expect_gt(budget.weight, 1);
	return budget;
}

Test(call_windows, when_calls_get_rare_all_are_recorded_again)
{
	struct load load = { .rate = 1 };
	struct call_budget budget = exhaust(&load);

	load.rate = 0.001;
	go_on(&budget, &load, 3000 * MS);
	cr_expect_eq(budget.weight, 1);
	load.rate = 1;
	go_on(&budget, &load, 1000 * MS);
	cr_expect_gt(budget.weight, 1);
}

Test(call_windows, a_target_that_sleeps_changes_nothing)
{
	struct load load = { .rate = 1 };
	struct call_budget budget = exhaust(&load);
	uint32_t weight = budget.weight;

	for (int i = 0; i < 100; i++) {
		load.now.time_ns += 100 * MS;
		call_budget_look_at_window(&budget, &load.now, &load.now, &load.now);
	}
	cr_expect_eq(budget.weight, weight);
}

Test(call_windows, without_a_limit_all_calls_are_recorded)
{
	struct load load = { .rate = 3 };
	struct call_budget budget;

	call_budget_make(&budget, 0, &load.now);
	go_on(&budget, &load, 1000 * MS);
	cr_expect_eq(budget.weight, 1);
}

/* A uniform number from 0 to 1. */
/*
 * So many windows of 5 ms, one in ten, of threads whose calls come at a rate that changes from window to window; recorded,
 * they are slower by half. One call in four is of the row. Returns whether its range holds the true number.
 */
static bool run_holds(int windows)
{
	struct profile profile = { .sampling = { .windows = (uint64_t)windows } };
	struct scaler_call_stats stats = { 0 }, others = { 0 };
	const struct scaler_call_key key = { .task = 1 }, other = { .task = 2 };
	struct sampled_sums sums = { 0 };
	struct sampled_frame frame;
	struct sampled_range range;
	double truth = 0;

	for (int i = 0; i < windows; i++) {
		struct scaler_window_sums *group = &profile.sampling.groups[i % SCALER_WINDOW_GROUPS];
		uint64_t mean = 0, counted = 0, recorded = 0;

		/* What the window stands for are ten such stretches, each with its own rate. */
		for (int stretch = 0; stretch < 10; stretch++) {
			uint64_t calls = (uint64_t)(1000 + 4000 * chance());

			counted = stretch == 3 ? calls : counted;
			recorded = stretch == 4 ? calls / 2 : recorded;
			mean += stretch == 4 ? recorded : calls;
		}
		truth += (double)mean / 4;
		group->counted_calls += 10 * counted;
		group->counted_ns += 10 * 5 * MS;
		group->recorded_ns += 10 * 5 * MS / 2;
		profile.sampling.known_calls += counted + recorded;
		profile.sampling.unseen_ns += 8 * 5 * MS;
		stats.sampled[i % SCALER_WINDOW_GROUPS].count += 10 * (recorded / 4);
		others.sampled[i % SCALER_WINDOW_GROUPS].count += 10 * (recorded - recorded / 4);
	}
	cr_assert_eq(profile_add_call(&profile, &key, &stats), 0);
	cr_assert_eq(profile_add_call(&profile, &other, &others), 0);
	frame = sampled_frame_make(&profile);
	sampled_calls_estimate(&profile);
	sampled_sums_add_row(&sums, &profile.calls[0].stats);
	range = sampled_find_count(&frame, &sums, profile.calls[0].stats.count);
	profile_clear(&profile);
	return range_holds(&range, truth);
}

Test(call_windows, ranges_hold_the_truth_as_often_as_they_say)
{
	expect_held(run_holds, 920, 985);
}

Test(call_windows, of_one_window_no_range_is_known)
{
	struct sampled_frame frame = { .sampling = {
					       .windows = 1, .known_calls = 110, .unseen_ns = 50 * MS } };
	const struct sampled_sums sums = { .count = { [2] = 100 } };

	frame.sampling.groups[2] = (struct scaler_window_sums){ 100, 5 * MS, 0, 5 * MS };
	frame.recorded[2] = 100;
	cr_expect_eq(sampled_find_count(&frame, &sums, 1117).low, 7);
	cr_expect_eq(sampled_find_count(&frame, &sums, 1117).high, UINT64_MAX);
}

Test(call_windows, errors_are_estimated_with_their_calls)
{
	struct profile profile = { .sampling = { .windows = 1, .known_calls = 100, .unseen_ns = 87500000 } };
	const struct scaler_call_key key = { .task = 1 };
	const struct scaler_error_key code = { .call = key, .code = 2 };
	struct scaler_call_stats stats = { .count = 100, .errors = 50 };

	stats.sampled[1].count = 400;
	profile.sampling.groups[1] = (struct scaler_window_sums){ .recorded_ns = 50 * MS };
	stats.errors += 200;
	cr_assert_eq(profile_add_call(&profile, &key, &stats), 0);
	cr_assert_eq(profile_add_error(&profile, &code, 250), 0);
	sampled_calls_estimate(&profile);
	cr_expect_eq(profile.calls[0].stats.count, 900);
	cr_expect_eq(profile.calls[0].stats.errors, 450);
	cr_expect_eq(profile.errors[0].count, 450);
	profile_clear(&profile);
}

Test(call_windows, sleeps_that_were_not_seen_to_begin_are_calls)
{
	struct profile profile = { .sampling = { .windows = 1 } };
	const struct scaler_call_key key = { .task = 1 }, other = { .task = 2 };
	/* Of twelve calls it is known that they slept twice each. */
	const struct scaler_call_stats known = {
		.count = 12, .parts = 30, .unseen_sleeps = 30, .slept = 12, .sleeps = 24
	};
	const struct scaler_call_stats rare = { .parts = 7, .unseen_sleeps = 7 };
	struct sampled_sums sums = { 0 };
	struct sampled_frame frame;
	struct sampled_range range;

	cr_assert_eq(profile_add_call(&profile, &key, &known), 0);
	cr_assert_eq(profile_add_call(&profile, &other, &rare), 0);
	frame = sampled_frame_make(&profile);
	sampled_calls_estimate(&profile);
	cr_expect_eq(profile.calls[0].stats.count, 27);
	cr_expect_eq(profile.calls[1].stats.count, 7);
	sampled_sums_add_row(&sums, &profile.calls[0].stats);
	cr_expect(sampled_any(&sums));
	range = sampled_find_count(&frame, &sums, 27);
	cr_expect_eq(range.low, 27);
	cr_expect_eq(range.high, 27);
	/* All may have been in one. */
	sampled_sums_add_row(&sums, &profile.calls[1].stats);
	range = sampled_find_count(&frame, &sums, 34);
	cr_expect_eq(range.low, 28);
	cr_expect_eq(range.high, 34);
	profile_clear(&profile);
}
