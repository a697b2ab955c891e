// SPDX-License-Identifier: GPL-2.0-only
/* The command line: reports of blocking intervals, and what is made of them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "parse_options.h"

/* Alone, and beside other reports. */
Test(options, wait_chains)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("--wait-chains", "-p", "1"), 0);
	cr_assert_eq(options.report.parts, REPORT_CHAINS);
	cr_assert(options.records_blocking && options.no_syscalls && options.depth.frames);
	options_clear(&options);
	cr_assert_eq(PARSE("--wait-chains", "--blocking-report"), 0);
	cr_assert_eq(options.report.parts, REPORT_CHAINS | REPORT_BLOCKING_DEFAULT | REPORT_SCHEDULING);
	options_clear(&options);
	cr_assert_eq(PARSE("--wait-chains", "--report", "cpu"), 0);
	cr_assert_eq(options.report.parts, REPORT_CHAINS | REPORT_CPU);
	options_clear(&options);
	cr_assert_eq(PARSE("--report", "chains", "--min-duration", "1ms"), 0);
	cr_assert(options.report.parts == REPORT_CHAINS && options.records_blocking);
	options_clear(&options);
	cr_assert_eq(PARSE("--wait-chains", "--count-idle"), 0);
	cr_assert(options.report.counts_idle);
	options_clear(&options);
	cr_assert_eq(PARSE("--bottlenecks", "--count-idle", "-p", "1"), 0);
	cr_assert(options.report.parts == REPORT_BOTTLENECKS && options.records_blocking);
	options_clear(&options);
	cr_assert_eq(PARSE("--critical-path", "make", "--history", "1.5"), 0);
	cr_assert_eq(options.report.history_ns, 1500000000);
	options_clear(&options);
	cr_assert_eq(PARSE("--wait-chains", "--history", "soon"), -EINVAL);
	cr_assert_eq(PARSE("--history", "1", "--report", "threads"), -EINVAL);
	cr_assert_eq(PARSE("--count-idle"), -EINVAL);
	cr_assert_eq(PARSE("--wait-chains", "--live"), -EINVAL);
	options_clear(&options);
}

/* --func is about waits where nothing else is reported, and about probes else. */
Test(options, waits_in_functions)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;
	const struct report_options *report = &options.report;

	cr_assert_eq(PARSE("--wait-chains", "--func", "read,w*"), 0);
	cr_assert(report->parts == REPORT_CHAINS && !options.chooses_functions);
	cr_assert(report->filter.functions.count == 2 && !options.plan.functions.count);
	options_clear(&options);
	cr_assert_eq(PARSE("--func", "read", "--live"), 0);
	cr_assert_eq(report->filter.functions.count, 1);
	options_clear(&options);
	cr_assert_eq(PARSE("--blocking-report", "--func", "read", "--lib", "libc"), 0);
	cr_assert(!report->filter.functions.count && report->parts & REPORT_LIBRARY);
	options_clear(&options);
	cr_assert_eq(PARSE("--wait-chains", "--report", "cpu", "--func", "read", "-p", "1"), 0);
	cr_assert(!report->filter.functions.count && report->parts & REPORT_LIBRARY);
	options_clear(&options);
	cr_assert_eq(PARSE("--wait-chains", "--chain-depth", "3"), 0);
	cr_assert_eq(report->chain_depth, 3);
	options_clear(&options);
	cr_assert_eq(PARSE("--wait-chains", "--chain-depth", "0"), -EINVAL);
	cr_assert_eq(PARSE("--bottlenecks", "--chain-depth", "3"), -EINVAL);
	options_clear(&options);
}

/* A task, a time or both; without a task it is that of what is traced. */
Test(options, critical_path)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;
	const struct path_options *path = &options.report.path;

	cr_assert_eq(PARSE("--critical-path", "worker"), 0);
	cr_assert(options.report.parts == REPORT_PATH && options.records_blocking && options.no_syscalls);
	cr_assert_str_eq(path->task, "worker");
	cr_assert(!path->since_ns && !path->until_ns);
	options_clear(&options);
	cr_assert_eq(PARSE("--critical-path", "0..1.5", "-p", "12,13", "--wait-chains"), 0);
	cr_assert_eq(options.report.parts, REPORT_PATH | REPORT_CHAINS);
	cr_assert(!path->task && path->target == 12 && !path->since_ns && path->until_ns == 1500000000);
	options_clear(&options);
	cr_assert_eq(PARSE("--critical-path", "a@b@20ms..", "--critical-path", "x@y@10ms..20ms"), 0);
	cr_assert_str_eq(path->task, "x@y");
	cr_assert(path->since_ns == 10000000 && path->until_ns == 20000000);
	options_clear(&options);
	cr_assert_eq(PARSE("--report", "path", "--", "true"), 0);
	cr_assert(options.report.parts == REPORT_PATH && options.records_blocking);
	options_clear(&options);
	cr_assert_eq(PARSE("--critical-path", "--", "true"), 0);
	cr_assert(!path->task && options.target.command);
	options_clear(&options);
	cr_assert_eq(PARSE("--critical-path", "-p", "12"), 0);
	cr_assert(!path->task && path->target == 12);
	options_clear(&options);
	/* Of the whole system there is no path. */
	cr_assert_eq(PARSE("--critical-path", ".."), -EINVAL);
	cr_assert(strstr(error, "name one"));
	options_clear(&options);
	cr_assert_eq(PARSE("--critical-path", "2..1", "-p", "1"), -EINVAL);
	options_clear(&options);
	cr_assert_eq(PARSE("--critical-path", "worker@x..1"), -EINVAL);
	options_clear(&options);
}

Test(options, blocking_report)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("--blocking-report", "-p", "1"), 0);
	cr_assert_eq(options.report.parts, REPORT_BLOCKING_DEFAULT | REPORT_SCHEDULING);
	cr_assert(options.records_blocking && options.no_syscalls);
	cr_assert(options.depth.frames && options.depth.to_application);
	cr_assert_eq(options.frequency, 0);
	options_clear(&options);
	/* Of what is asked for beside it as much is recorded as that takes. */
	cr_assert_eq(PARSE("--blocking-report", "--report", "cpu", "--depth", "0"), 0);
	cr_assert_eq(options.report.parts, REPORT_BLOCKING_DEFAULT | REPORT_CPU);
	cr_assert(options.no_syscalls && options.frequency && !options.depth.frames);
	cr_assert_eq(PARSE("--report", "blocking,syscalls", "--syscalls", "read"), 0);
	cr_assert(options.records_blocking && !options.no_syscalls);
	options_clear(&options);
	cr_assert_eq(PARSE("--blocking-report", "--syscalls", "read"), -EINVAL);
	cr_assert(strstr(error, "--report blocking,syscalls"));
	options_clear(&options);
	cr_assert_eq(PARSE("--blocking-report", "--folded"), -EINVAL);
	cr_assert_eq(PARSE("--blocking-report", "--sort", "errors"), -EINVAL);
	cr_assert_eq(PARSE("--blocking-report", "--sort", "name"), 0);
	options_clear(&options);
	cr_assert_eq(PARSE("--live", "--min-duration", "5ms"), 0);
	cr_expect_eq(options.report.stream, REPORT_STREAM_ENDED);
	cr_expect_eq(options.report.parts, REPORT_BLOCKING);
	cr_expect(options.interval_ns && options.no_syscalls && !options.frequency &&
		  !options.report.repeats);
}

Test(options, blocking_filter)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("--report", "waits", "--min-duration", "5ms", "--since", "1", "--until", "2.5",
			   "--state", "DS", "--task", "work*,17", "--wall-clock", "--paths"),
		     0);
	cr_assert_eq(options.report.parts, REPORT_WAITS);
	cr_assert(options.records_blocking && options.no_syscalls && options.report.wall_clock &&
		  options.records_paths);
	cr_assert_eq(options.report.filter.least_ns, 5000000);
	cr_assert_eq(options.report.filter.since_ns, 1000000000);
	cr_assert_eq(options.report.filter.until_ns, 2500000000);
	cr_assert_str_eq(options.report.filter.states, "DS");
	cr_assert_eq(options.report.filter.tasks.count, 2);
	options_clear(&options);
	cr_assert_eq(PARSE("--blocking-report", "--state", "X"), -EINVAL);
	cr_assert(strstr(error, "SDITtP"));
	options_clear(&options);
	cr_assert_eq(PARSE("--blocking-report", "--task", ","), -EINVAL);
	options_clear(&options);
	cr_assert_eq(PARSE("--blocking-report", "--min-duration", "5m"), -EINVAL);
	cr_assert(strstr(error, "500ms"));
	options_clear(&options);
	cr_assert_eq(PARSE("--blocking-report", "--since", "2", "--until", "2"), -EINVAL);
	options_clear(&options);
	cr_assert_eq(PARSE("--state", "D"), -EINVAL);
	cr_assert(strstr(error, "--blocking-report"));
	options_clear(&options);
	cr_assert_eq(PARSE("--paths"), -EINVAL);
	cr_assert(strstr(error, "--blocking-report"));
	options_clear(&options);
}
