// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports of a synthetic recording, compared with tests/unit/golden/. To accept a change after
 * reading it: SCALER_GOLDEN=write build/unit-tests --filter report/golden
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include <scaler/thread_state.h>

#include "analysis/report.h"
#include "base/array.h"
#include "render/renderer.h"
#include "synthetic.h"

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
	static const char *const formats[] = { "text", "json", "folded" };
	struct profile profile = { 0 };
	struct report report;
	char path[64];

	synthetic_profile(&profile);
	cr_assert_eq(synthetic_report(&profile, &synthetic_everything, &report), 0);
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		char *text = synthetic_render(formats[i], &report);

		snprintf(path, sizeof(path), "tests/unit/golden/report.%s", formats[i]);
		compare_golden(path, text);
		free(text);
	}
	report_clear(&report);
	profile_clear(&profile);
}

Test(report, summaries)
{
	static const size_t widths[] = { 80, 120, 200 };
	struct report_options options = { .parts = REPORT_SUMMARY | REPORT_SUMMARY_WAITS, .frequency = 199 };
	char path[64];

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		struct profile profile = { 0 };
		struct report report;
		char *text;

		options.width = widths[i];
		synthetic_profile(&profile);
		cr_assert_eq(synthetic_report(&profile, &options, &report), 0);
		text = synthetic_render("text", &report);
		snprintf(path, sizeof(path), "tests/unit/golden/summary_%zu.text", widths[i]);
		compare_golden(path, text);
		free(text);
		report_clear(&report);
		profile_clear(&profile);
	}
}

static size_t longest_line(const char *text)
{
	size_t longest = 0;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		size_t length = strcspn(text, "\n");

		longest = length > longest ? length : longest;
	}
	return longest;
}

/* No line is wider than the screen, and what has no room is said. */
Test(report, widths)
{
	struct report_options options = synthetic_everything;

	for (options.width = 60; options.width <= 200; options.width += 20) {
		struct profile profile = { 0 };
		struct report report;
		char *text;

		synthetic_profile(&profile);
		cr_assert_eq(synthetic_report(&profile, &options, &report), 0);
		text = synthetic_render("text", &report);
		cr_expect_leq(longest_line(text), options.width, "%zu: %s", options.width, text);
		cr_expect(strstr(text, "\nnarrow: "));
		if (options.width == 100)
			compare_golden("tests/unit/golden/report_100.text", text);
		free(text);
		report_clear(&report);
		profile_clear(&profile);
	}
}

Test(report, empty_recording)
{
	struct profile profile = { .window = { .start_ns = 5, .end_ns = 5 } };
	struct report report;
	char *text;

	cr_assert_eq(synthetic_report(&profile, &synthetic_everything, &report), 0);
	cr_assert_eq(report.calls.total.count, 0);
	cr_assert_eq(report.threads.row_count, 0);
	text = synthetic_render("text", &report);
	cr_expect(strstr(text, "Threads: 0 of 0 processes"), "%s", text);
	free(text);
	report_clear(&report);
}

/* Beyond 40 threads the rest is one row, and the figures still add up. */
Test(report, many_threads)
{
	struct profile profile = { .window = { .start_ns = 0, .end_ns = 1000000000 } };
	struct report report;
	char *text;

	for (uint32_t i = 0; i < 5000; i++) {
		struct scaler_thread thread = {
			.serial = i,
			.tgid = 1 + i / 10,
			.tid = i,
			.comm = "worker",
			.state = SCALER_BLOCKED,
			.since_ns = 200000000,
			.start_ns = 0,
			.time_ns = { 200000000, 0, 0 },
		};

		scaler_thread_finish(&thread, &profile.window, profile.window.end_ns);
		cr_assert_eq(profile_add_thread(&profile, &thread), 0);
	}
	cr_assert_eq(synthetic_report(&profile, &synthetic_everything, &report), 0);
	text = synthetic_render("text", &report);
	cr_expect(strstr(text, "Threads: 5000 of 500 processes"));
	cr_expect(strstr(text, "(4960 others)             4960 s    992.0 s        0 ns     3968 s  "
			       "####................"),
		  "%s", text);
	cr_expect(strstr(text, "\ntotal                     5000 s     1000 s        0 ns     4000 s  "
			       "####................"));
	free(text);
	report_clear(&report);
	profile_clear(&profile);
}

static void make_sorted(struct profile *profile, const char *key, unsigned int parts, size_t top,
			struct report *report)
{
	const struct report_options options = {
		.parts = parts,
		.sort = key ? sort_key_find(key) : SORT_DEFAULT,
		.top = top,
		.component_of = COMPONENT_OF_ISSUING,
		.path = { .target = 101 },
		.width = REPORT_WIDTH_ALL,
	};

	cr_assert_eq(synthetic_report(profile, &options, report), 0);
}

/* What is not shown is summed in one row, so that each table still adds up. */
Test(report, golden_top)
{
	struct profile profile = { 0 };
	struct report report;
	char *text;

	synthetic_profile(&profile);
	make_sorted(&profile, NULL, REPORT_ALL, 1, &report);
	text = synthetic_render("text", &report);
	compare_golden("tests/unit/golden/report_top.text", text);
	free(text);
	report_clear(&report);
	profile_clear(&profile);
}

/* Of the levels of chains, the waits alone. */
Test(report, chain_depth)
{
	const struct report_options options = { .parts = REPORT_CHAINS, .top = 40, .chain_depth = 1 };
	struct profile profile = { 0 };
	struct report report;
	char *folded;

	synthetic_profile(&profile);
	cr_assert_eq(synthetic_report(&profile, &options, &report), 0);
	cr_assert_gt(report.chains.top_count, 0);
	cr_assert_eq(report.chains.top_count, report.chains.row_count);
	folded = synthetic_render("folded", &report);
	cr_expect(*folded && !strstr(folded, ";--;"), "%s", folded);
	free(folded);
	report_clear(&report);
	profile_clear(&profile);
}

Test(report, sort)
{
	static const struct {
		const char *key;
		unsigned int first_call, first_tid;
		const char *first_component;
		const char *first_in_tree;
	} cases[] = {
		{ "total", 202, 100, "libc.so.6", "\033[31mred\377" },
		{ "running", 0, 100, "server", "server" },
		{ "blocked", 202, 100, "libc.so.6", "\033[31mred\377" },
		{ "calls", 0, 100, "libc.so.6", "server" },
		{ "errors", 257, 100, "libc.so.6", "server" },
		{ "p99", 0, 100, "libc.so.6", "\033[31mred\377" },
		{ "switches", 202, 100, "libc.so.6", "\033[31mred\377" },
		{ "name", 232, 101, "\033[2Jlib.so", "\033[31mred\377" },
		{ "max", 0, 100, "libc.so.6", "\033[31mred\377" },
		{ "runnable", 202, 100, "libc.so.6", "\033[31mred\377" },
	};
	struct profile profile = { 0 };

	synthetic_profile(&profile);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct report report;

		make_sorted(&profile, cases[i].key, REPORT_ALL, 40, &report);
		cr_expect_eq(report.calls.rows[0].key.number, cases[i].first_call, "%s: %u", cases[i].key,
			     report.calls.rows[0].key.number);
		cr_expect_eq(report.threads.rows[0].tid, cases[i].first_tid, "%s: %u", cases[i].key,
			     report.threads.rows[0].tid);
		cr_expect_str_eq(report.components.rows[0].component->name, cases[i].first_component, "%s",
				 cases[i].key);
		cr_expect_str_eq(report.tree.nodes[report.tree.nodes[0].first_child].name,
				 cases[i].first_in_tree, "%s", cases[i].key);
		report_clear(&report);
	}
	profile_clear(&profile);
}

Test(report, parts)
{
	struct profile profile = { 0 };
	struct report report;
	char *text;

	synthetic_profile(&profile);
	make_sorted(&profile, NULL, REPORT_CALLS, 40, &report);
	text = synthetic_render("text", &report);
	cr_expect(strstr(text, "\nSystem calls\n") && !strstr(text, "\nThreads:") &&
		  !strstr(text, "\nComponents"));
	cr_expect(strstr(text, "lost: 7 system calls"), "the foot is always there");
	free(text);
	report_clear(&report);
	profile_clear(&profile);
}

static void expect_whole(const struct report *report, const struct time_figures *sum, const char *part)
{
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		cr_expect_eq(sum->time_ns[state], report->threads.total.time_ns[state], "%s: state %d", part,
			     state);
	cr_expect_eq(sum->samples, report->outside.samples, "%s", part);
}

/* Each part that says where the time went has all of it, also if it is divided by samples. */
Test(report, adds_up)
{
	struct profile profile = { 0 };
	struct report report;
	uint64_t sampled_ns = 0;

	synthetic_profile(&profile);
	make_sorted(&profile, NULL, REPORT_ALL, 40, &report);
	expect_whole(&report, &report.components.total, "components");
	expect_whole(&report, &report.functions.total, "functions");
	expect_whole(&report, &report.tree.total, "tree");
	cr_expect_gt(report.outside.samples, 0);
	for (size_t i = 0; i < report.outside.row_count; i++)
		sampled_ns += report.outside.rows[i].running_ns;
	cr_expect_eq(sampled_ns, report.outside.whole.time_ns[SCALER_RUNNING]);
	report_clear(&report);
	profile_clear(&profile);
}

/* Of a thread that hardly ran samples may find more in the tracer than it ran. */
Test(report, the_tracer_takes_no_more_than_there_is)
{
	const struct scaler_sample of_tracer = { .site = scaler_site(SCALER_COMPONENT_TRACER, 0), .task = 2 };
	struct profile profile = { 0 };
	struct report report;
	uint64_t sum_ns = 0;

	synthetic_profile(&profile);
	cr_assert_eq(samples_add(&profile.samples, &of_tracer, 1000000), 0);
	make_sorted(&profile, NULL, REPORT_ALL, 40, &report);
	for (size_t i = 0; i < report.threads.row_count; i++) {
		const struct thread_figures *figures = &report.threads.rows[i].figures;

		cr_expect_leq(figures->tracer_ns, figures->time_ns[SCALER_RUNNING]);
		sum_ns += figures->tracer_ns;
	}
	cr_expect_gt(sum_ns, 0);
	cr_expect_eq(report.threads.total.tracer_ns, sum_ns);
	report_clear(&report);
	profile_clear(&profile);
}

/* The names in messages are those that are accepted. */
Test(report, option_names)
{
	char names[] = SORT_KEY_NAMES;
	size_t count = 0;

	for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", "), count++)
		cr_expect(sort_key_find(name), "%s", name);
	cr_expect_eq(count + 1, SORT_KEY_COUNT);
}

/* Linux 6.1 does not count maps in what a process has resident: 60 MB where the maps have 100 and the rest 50. */
Test(report, tracer_memory_without_maps)
{
	cr_expect_eq(tracer_cost_resident(160, 100, 50), 60u);
	cr_expect_eq(tracer_cost_resident(148, 100, 50), 48u);
	cr_expect_eq(tracer_cost_resident(60, 100, 50), 60u);
	cr_expect_eq(tracer_cost_resident(120, 20, 100), 100u);
	cr_expect_eq(tracer_cost_resident(100, 20, 100), 100u);
	cr_expect_eq(tracer_cost_resident(0, 0, 0), 0u);
}
