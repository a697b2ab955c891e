// SPDX-License-Identifier: GPL-2.0-only
/* CPU samples: counted, taken apart by intervals, and what they are estimates of. */
#include <criterion/criterion.h>

#include <scaler/unwind_step.h>

#include "analysis/estimate.h"
#include "model/samples.h"

Test(samples, same_are_counted_together)
{
	struct samples samples = { 0 };

	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < 5000; i++) {
			const struct scaler_sample sample = { .site = i / 2, .task = i % 2, .kind = i % 3 };

			cr_assert_eq(samples_add(&samples, &sample, 2), 0);
		}
	}
	cr_assert_eq(samples.rows.count, 5000);
	for (size_t i = 0; i < samples.rows.count; i++) {
		cr_expect_eq(samples_rows(&samples)[i].count, 6);
		cr_expect_eq(samples_rows(&samples)[i].sample.site, i / 2);
	}
	samples_clear(&samples);
}

Test(samples, intervals_add_up)
{
	const struct scaler_sample first = { .site = 1 }, second = { .site = 2 };
	struct samples all = { 0 }, before = { 0 }, none = { 0 }, since = { 0 };

	cr_assert_eq(samples_add(&all, &first, 3), 0);
	cr_assert_eq(samples_since(&before, &none, &all), 0);
	cr_assert_eq(samples_since(&since, &before, &all), 0);
	cr_assert_eq(since.rows.count, 0);
	cr_assert_eq(samples_add(&all, &second, 5), 0);
	cr_assert_eq(samples_add(&all, &first, 4), 0);
	cr_assert_eq(samples_since(&since, &before, &all), 0);
	cr_assert_eq(since.rows.count, 2);
	cr_expect_eq(samples_rows(&since)[0].count, 4);
	cr_expect_eq(samples_rows(&since)[1].count, 5);
	samples_clear(&all);
	samples_clear(&before);
	samples_clear(&since);
}

/*
 * By what the interval is: at its ends the estimate lies 1.96 standard deviations of as many samples from what would
 * be true there.
 */
static void check_end(double share, double end, double samples)
{
	cr_expect_float_eq((share - end) * (share - end), 3.8414588 * end * (1 - end) / samples, 1e-7,
			   "%f of %f: %f", share, samples, end);
}

Test(samples, estimates)
{
	for (uint64_t all = 1; all < 3000; all = all * 3 + 1) {
		for (uint64_t some = 0; some <= all; some += 1 + all / 7) {
			struct estimate time = estimate_time(some, all, 1000000000);
			double share = (double)some / (double)all;

			cr_expect_float_eq((double)time.ns, 1e9 * share, 1);
			cr_expect_leq(time.low_ns, time.ns);
			cr_expect_geq(time.high_ns, time.ns);
			check_end(share, (double)time.low_ns / 1e9, (double)all);
			check_end(share, (double)time.high_ns / 1e9, (double)all);
		}
	}
}

/* A function with a frame pointer, instruction by instruction. */
Test(samples, rules_of_interrupted_code)
{
	const struct scaler_unwind_rule pointer = { .kind = SCALER_UNWIND_FRAME_POINTER };
	const struct scaler_unwind_rule other = { .kind = SCALER_UNWIND_RBP, .cfa_offset = 16 };
	static const struct {
		__u64 code;
		enum scaler_unwind_kind kind;
		int cfa_offset, rbp;
	} cases[] = {
		{ 0xe5894855fa1e0ff3, SCALER_UNWIND_RSP, 8, 0 },  /* endbr64 */
		{ 0x10ec8348e5894855, SCALER_UNWIND_RSP, 8, 0 },  /* push %rbp */
		{ 0x0010ec8348e58948, SCALER_UNWIND_RSP, 16, 2 }, /* mov %rsp,%rbp */
		{ 0x0010ec8348ec8b48, SCALER_UNWIND_RSP, 16, 2 }, /* the same in its other form */
		{ 0x0000000010ec8348, SCALER_UNWIND_FRAME_POINTER, 0, 0 },
		{ 0x909090909090c3c9, SCALER_UNWIND_FRAME_POINTER, 0, 0 }, /* leave */
		{ 0x90909090909090c3, SCALER_UNWIND_RSP, 8, 0 },           /* ret */
		{ 0x90909090900010c2, SCALER_UNWIND_RSP, 8, 0 },           /* ret $16 */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scaler_unwind_rule rule = scaler_interrupted_rule(pointer, cases[i].code);

		cr_expect_eq(rule.kind, cases[i].kind, "%zu", i);
		cr_expect_eq(rule.cfa_offset, cases[i].cfa_offset, "%zu", i);
		cr_expect_eq(rule.rbp, cases[i].rbp, "%zu", i);
		cr_expect_eq(scaler_interrupted_rule(other, cases[i].code).kind, SCALER_UNWIND_RBP);
	}
}
