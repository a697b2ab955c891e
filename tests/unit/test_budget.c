// SPDX-License-Identifier: GPL-2.0-only
/* Which functions' probes go: at made-up costs, a look every 100 ms of a program that runs all the time. */
#include <criterion/criterion.h>

#include "plan/budget.h"

#define MS      1000000ULL
#define LOOK_NS (100 * MS)

static const struct scaler_spending nothing;

/* One look, after costs of so much of each function. */
static void look(struct budget *budget, const uint64_t *costs_ns)
{
	struct scaler_spending now = budget->last;

	now.time_ns += LOOK_NS;
	now.running_ns += LOOK_NS;
	for (size_t i = 0; i < budget->count; i++) {
		budget->functions[i].cost_ns += costs_ns[i];
		now.spent_ns[SCALER_COST_PROBES] += costs_ns[i];
	}
	budget_look(budget, &now, BUDGET_BURST_NS);
}

/* Goes on for some looks, in which functions that are out cost nothing. */
static void go_on(struct budget *budget, int looks, const uint64_t *costs_ns)
{
	for (int i = 0; i < looks; i++) {
		uint64_t left_ns[4] = { 0 };

		cr_assert_leq(budget->count, 4);
		for (size_t function = 0; function < budget->count; function++)
			left_ns[function] = budget->functions[function].is_out ? 0 : costs_ns[function];
		look(budget, left_ns);
	}
}

static int count_out(const struct budget *budget)
{
	int count = 0;

	for (size_t i = 0; i < budget->count; i++)
		count += budget->functions[i].is_out;
	return count;
}

Test(budget, within_the_share_nothing_goes)
{
	static const uint64_t costs_ns[] = { 2 * MS, 1 * MS, 1 * MS };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0.05, 3, &nothing), 0);
	go_on(&budget, 1000, costs_ns);
	cr_expect_eq(count_out(&budget), 0);
	budget_clear(&budget);
}

Test(budget, above_it_the_dearest_goes_first_and_no_more_than_must)
{
	static const uint64_t costs_ns[] = { 2 * MS, 20 * MS, 1 * MS, 4 * MS };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0.05, 4, &nothing), 0);
	go_on(&budget, 100, costs_ns);
	/* The program's own share of each look is at least 73 ms, and 5 % of that are 3.65 ms. */
	cr_expect(budget.functions[1].is_out);
	cr_expect(budget.functions[3].is_out);
	cr_expect_not(budget.functions[0].is_out);
	cr_expect_not(budget.functions[2].is_out);
	budget_clear(&budget);
}

Test(budget, a_burst_is_forgiven_and_a_second_one_too_if_time_lies_between)
{
	static const uint64_t burst_ns[] = { 20 * MS }, quiet_ns[] = { 0 };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0.05, 1, &nothing), 0);
	for (int i = 0; i < 5; i++) {
		go_on(&budget, 1, burst_ns);
		go_on(&budget, 20, quiet_ns);
	}
	cr_expect_eq(count_out(&budget), 0);
	go_on(&budget, 2, burst_ns);
	cr_expect_eq(count_out(&budget), 1);
	budget_clear(&budget);
}

Test(budget, what_is_out_does_not_count_against_others)
{
	static const uint64_t costs_ns[] = { 3 * MS, 90 * MS };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0.05, 2, &nothing), 0);
	budget.functions[1].is_out = true;
	for (int i = 0; i < 3; i++)
		look(&budget, costs_ns);
	go_on(&budget, 97, costs_ns);
	cr_expect_not(budget.functions[0].is_out);
	budget_clear(&budget);
}

Test(budget, of_screened_functions_the_dearest_go_first_and_no_more_than_must)
{
	static const double costs_ns[] = { 0.02 * MS, 0.4 * MS, 0, 0.9 * MS, 0.02 * MS };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0.05, 6, &nothing), 0);
	budget.functions[4].is_out = true;
	cr_expect_eq(budget_screen(&budget, 1, costs_ns, 5, 1.0 * MS), 1);
	cr_expect(budget.functions[2].is_out);
	cr_expect_not(budget.functions[1].is_out);
	cr_expect_not(budget.functions[5].is_out);
	budget_clear(&budget);
}

Test(budget, screened_functions_may_cost_more_where_more_is_run)
{
	static const double costs_ns[] = { 0.1 * MS, 0.2 * MS };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0.05, 2, &nothing), 0);
	cr_expect_eq(budget_screen(&budget, 0, costs_ns, 2, 8.0 * MS), 0);
	cr_expect_eq(budget_screen(&budget, 0, costs_ns, 2, 4.0 * MS), 1);
	cr_expect_not(budget.functions[0].is_out);
	budget_clear(&budget);
}

Test(budget, without_a_limit_nothing_goes)
{
	static const uint64_t costs_ns[] = { 90 * MS };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0, 1, &nothing), 0);
	go_on(&budget, 100, costs_ns);
	cr_expect_eq(count_out(&budget), 0);
	budget_clear(&budget);
}

Test(budget, share_of_the_whole)
{
	cr_expect_eq(budget_share_of_whole(0), 0);
	cr_expect_eq(budget_share_of_whole(0.00001), 1);
	cr_expect_eq(budget_share_of_whole(0.05), 48);
	cr_expect_eq(budget_share_of_whole(1), 512);
}

Test(budget, what_is_spare_is_for_windows)
{
	static const uint64_t costs_ns[] = { 2 * MS };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0.05, 1, &nothing), 0);
	cr_expect_float_eq(budget_spare(&budget), 0.05 * 0.85, 1e-6);
	go_on(&budget, 20, costs_ns);
	/* Of 98 ms 4.9 are allowed, and 2 are taken. */
	cr_expect_float_eq(budget_spare(&budget), 0.85 * 2.9 / 98, 1e-3);
	budget.overrun_ns = MS;
	cr_expect_float_eq(budget_spare(&budget), 0.85 * 2.9 / 98 / 2, 1e-3);
	budget_clear(&budget);
}
