// SPDX-License-Identifier: GPL-2.0-only
/* Which functions' probes go: at made-up costs, a look every 100 ms of a program that runs all the time. */
#include <criterion/criterion.h>

#include "probe/budget.h"

#define MS      1000000ULL
#define LOOK_NS (100 * MS)

/* Goes on for so many looks, with costs of so much a look of the functions that are not out. */
static void go_on(struct budget *budget, int looks, const uint64_t *costs_ns)
{
	for (int look = 0; look < looks; look++) {
		for (size_t i = 0; i < budget->count; i++)
			budget->functions[i].cost_ns += budget->functions[i].is_out ? 0 : costs_ns[i];
		budget_look(budget, budget->running_seen_ns + LOOK_NS);
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

	cr_assert_eq(budget_make(&budget, 0.05, 3), 0);
	go_on(&budget, 1000, costs_ns);
	cr_expect_eq(count_out(&budget), 0);
	budget_clear(&budget);
}

Test(budget, above_it_the_dearest_goes_first_and_no_more_than_must)
{
	static const uint64_t costs_ns[] = { 2 * MS, 20 * MS, 1 * MS, 4 * MS };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0.05, 4), 0);
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
	static const uint64_t burst_ns[] = { 40 * MS }, quiet_ns[] = { 0 };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0.05, 1), 0);
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

	cr_assert_eq(budget_make(&budget, 0.05, 2), 0);
	budget.functions[1].is_out = true;
	for (int i = 0; i < 100; i++) {
		budget.functions[1].cost_ns += i < 3 ? costs_ns[1] : 0;
		go_on(&budget, 1, costs_ns);
	}
	cr_expect_not(budget.functions[0].is_out);
	budget_clear(&budget);
}

Test(budget, without_a_limit_nothing_goes)
{
	static const uint64_t costs_ns[] = { 90 * MS };
	struct budget budget;

	cr_assert_eq(budget_make(&budget, 0, 1), 0);
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
