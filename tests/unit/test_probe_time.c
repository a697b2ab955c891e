// SPDX-License-Identifier: GPL-2.0-only
/* What is left of a call's time when that of probes is taken out. */
#include <criterion/criterion.h>

#include <scaler/probe_time.h>

Test(probe_time, of_running_time)
{
	struct scaler_times call = { .total_ns = 1000, .runnable_ns = 200, .blocked_ns = 300 };
	const struct scaler_times inner = { .total_ns = 100, .blocked_ns = 100 };

	cr_assert_eq(scaler_take_out_probes(&call, &inner, 400), 400);
	cr_assert_eq(call.total_ns, 600);
	cr_assert_eq(call.runnable_ns, 200);
	cr_assert_eq(call.blocked_ns, 300);
}

Test(probe_time, leaves_what_the_thread_did_not_run)
{
	struct scaler_times call = { .total_ns = 1000, .runnable_ns = 200, .blocked_ns = 300 };
	const struct scaler_times inner = { 0 };

	cr_assert_eq(scaler_take_out_probes(&call, &inner, 800), 500);
	cr_assert_eq(call.total_ns, 500);
}

Test(probe_time, leaves_the_calls_within)
{
	struct scaler_times call = { .total_ns = 1000 };
	const struct scaler_times inner = { .total_ns = 700 };

	cr_assert_eq(scaler_take_out_probes(&call, &inner, ~0ULL), 300);
	cr_assert_eq(call.total_ns, 700);
	cr_assert_eq(scaler_take_out_probes(&call, &inner, 1), 0);
	cr_assert_eq(call.total_ns, 700);
}
