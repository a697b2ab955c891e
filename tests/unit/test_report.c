// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports of a synthetic recording, compared with tests/unit/golden/. To accept a change after
 * reading it: SCALER_GOLDEN=write build/unit-tests --filter report/golden
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report.h"
#include "render/renderer.h"
#include "synthetic.h"

static char *render(const char *format, const struct report *report)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	cr_assert_eq(renderer_run(renderer_find(format), report, out), 0);
	fclose(out);
	return text;
}

static void compare_golden(const char *path, const char *text)
{
	const char *mode = getenv("SCALER_GOLDEN");
	static char golden[1 << 20];
	FILE *file = fopen(path, mode ? "w" : "r");

	cr_assert(file, "%s", path);
	if (mode)
		fputs(text, file);
	else
		golden[fread(golden, 1, sizeof(golden) - 1, file)] = '\0';
	fclose(file);
	cr_expect(mode || !strcmp(golden, text), "%s is not what is printed:\n%s", path, text);
}

Test(report, golden)
{
	static const char *const formats[] = { "text", "json" };
	struct profile profile = { 0 };
	struct report report;
	char path[64];

	synthetic_profile(&profile);
	cr_assert_eq(report_make(&profile, &report), 0);
	for (size_t i = 0; i < 2; i++) {
		char *text = render(formats[i], &report);

		snprintf(path, sizeof(path), "tests/unit/golden/report.%s", formats[i]);
		compare_golden(path, text);
		free(text);
	}
	report_clear(&report);
	profile_clear(&profile);
}

Test(report, empty_recording)
{
	struct profile profile = { .window = { 5, 5 } };
	struct report report;
	char *text;

	cr_assert_eq(report_make(&profile, &report), 0);
	cr_assert_eq(report.calls.total.count, 0);
	cr_assert_eq(report.threads.row_count, 0);
	text = render("text", &report);
	cr_expect(strstr(text, "Threads: 0 of 0 processes"), "%s", text);
	free(text);
	report_clear(&report);
}

/* Beyond 20 threads the rest is one row, and the figures still add up. */
Test(report, many_threads)
{
	struct profile profile = { .window = { 0, 1000000000 } };
	struct report report;
	char *text;

	for (uint32_t i = 0; i < 5000; i++) {
		const struct scaler_thread thread = {
			.serial = i, .tgid = 1 + i / 10, .tid = i, .comm = "worker",
			.state = SCALER_BLOCKED, .since_ns = 200000000, .start_ns = 0,
			.time_ns = { 200000000, 0, 0 },
		};

		cr_assert_eq(profile_add_thread(&profile, &thread), 0);
	}
	cr_assert_eq(report_make(&profile, &report), 0);
	text = render("text", &report);
	cr_expect(strstr(text, "Threads: 5000 of 500 processes"));
	cr_expect(strstr(text, "(4980 others)             4980 s    996.0 s        0 ns     3984 s  "
			       "####................"),
		  "%s", text);
	cr_expect(strstr(text, "\ntotal                     5000 s     1000 s        0 ns     4000 s  "
			       "####................"));
	free(text);
	report_clear(&report);
	profile_clear(&profile);
}
