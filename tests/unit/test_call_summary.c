// SPDX-License-Identifier: GPL-2.0-only
/* Summing the rows of threads by call, and the report made of it. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/call_summary.h"
#include "render/text.h"

static void add(struct profile *profile, uint32_t task, uint16_t number, uint64_t count)
{
	const struct scaler_call_key key = { .task = task, .number = number };
	const struct scaler_call_stats stats = { .count = count };

	cr_assert_eq(profile_add_call(profile, &key, &stats), 0);
}

Test(call_summary, sums_threads_and_sorts_by_count)
{
	struct profile profile = { 0 };
	struct call_summary summary;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	add(&profile, 1, 0, 20);
	add(&profile, 2, 3, 25);
	add(&profile, 2, 0, 10);
	add(&profile, 1, 9999, 45);
	profile.losses[SCALER_LOSS_CALL_MAP] = 7;
	cr_assert_eq(call_summary_make(&profile, &summary), 0);
	text_render_calls(out, &summary);
	text_render_coverage(out, &profile);
	fclose(out);
	cr_assert_str_eq(text, "       CALLS   SHARE  SYSTEM CALL\n"
			       "          45   45.0%  unknown:9999\n"
			       "          30   30.0%  read\n"
			       "          25   25.0%  close\n"
			       "         100          total\n"
			       "lost: 7 system calls not counted (the system-call map is full)\n");
	free(text);
	call_summary_clear(&summary);
	profile_clear(&profile);
}

Test(call_summary, empty_recording)
{
	struct profile profile = { 0 };
	struct call_summary summary;

	cr_assert_eq(call_summary_make(&profile, &summary), 0);
	cr_assert_eq(summary.row_count, 0);
	cr_assert_eq(summary.total, 0);
	call_summary_clear(&summary);
}
