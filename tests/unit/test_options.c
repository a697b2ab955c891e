// SPDX-License-Identifier: GPL-2.0-only
/* The command line: what is accepted, and how the rest is refused. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "cmd/options.h"

static int parse(struct options *options, char *error, char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	return options_parse(options, argc, argv, error);
}

#define PARSE(...) parse(&options, error, (char *[]){ "scaler-bpf", __VA_ARGS__, NULL })

#define WITH_PROBES (REPORT_LIBRARY | REPORT_FLOW)

Test(options, processes)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("-p", "12,7,12", "--duration", "0.25"), 0);
	cr_assert_eq(options.subcommand, SUBCOMMAND_TRACE);
	cr_assert_eq(options.target.kind, SCALER_TARGET_PROCESSES);
	cr_assert_eq(options.target.id_count, 2);
	cr_assert_eq(options.target.ids[0], 12);
	cr_assert_eq(options.target.ids[1], 7);
	cr_assert_eq(options.duration_ns, 250000000);
	cr_assert_null(options.target.command);
	options_clear(&options);
}

Test(options, other_targets)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("--comm", "fifteen letters"), 0);
	cr_assert_eq(options.target.follow, SCALER_FOLLOW_CHILDREN);
	cr_assert_eq(options.target.kind, SCALER_TARGET_SYSTEM);
	cr_assert_str_eq(options.target.comm, "fifteen letters");
	cr_assert_eq(PARSE("-t", "5", "--follow", "none"), 0);
	cr_assert_eq(options.target.kind, SCALER_TARGET_THREADS);
	cr_assert_eq(options.target.follow, SCALER_FOLLOW_NONE);
	options_clear(&options);
	cr_assert_eq(PARSE("--cgroup", "/a"), 0);
	cr_assert_eq(options.target.kind, SCALER_TARGET_CGROUP);
	cr_assert_eq(PARSE("--comm", "ls", "--", "ls"), 0);
	cr_assert_eq(options.target.kind, SCALER_TARGET_PROCESSES);
}

Test(options, command_keeps_its_own_options)
{
	char *argv[] = { "scaler-bpf", "--ready-fd=3", "--", "ls", "-p", "--help", NULL };
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(parse(&options, error, argv), 0);
	cr_assert_eq(options.announcement.ready_fd, 3);
	cr_assert_str_eq(options.target.command[0], "ls");
	cr_assert_str_eq(options.target.command[2], "--help");
	cr_assert_null(options.target.command[3]);
	options_clear(&options);
}

Test(options, library_functions)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("--list", "--lib", "libc,libm", "--lib", "libz*", "--calls", "exports"), 0);
	cr_assert(options.list);
	cr_assert_eq(options.plan.libraries.count, 3);
	cr_assert_str_eq(options.plan.libraries.items[2], "libz*");
	cr_assert_eq(options.plan.calls, PLAN_EXPORTS);
	options_clear(&options);
	cr_assert_eq(PARSE("--list", "--func", "read", "--exclude", "r*", "-p", "1"), 0);
	cr_assert_eq(options.plan.calls, PLAN_EDGES);
	cr_assert_str_eq(options.plan.excluded.items[0], "r*");
	options_clear(&options);
	cr_assert_eq(PARSE("--list"), -EINVAL);
	options_clear(&options);
	cr_assert_eq(PARSE("--func", "read", "-p", "1"), 0);
	cr_assert_eq(options.report.parts, REPORT_SCREEN | REPORT_LIBRARY);
	options_clear(&options);
	cr_assert_eq(PARSE("--lib", "libc", "-p", "1", "--report", "threads"), 0);
	cr_assert_eq(options.report.parts, REPORT_THREADS | REPORT_LIBRARY);
	options_clear(&options);
	cr_assert_eq(PARSE("--lib", "libc", "-p", "1", "--no-syscalls", "--report", "all"), 0);
	cr_assert_eq(options.report.parts, REPORT_THREADS | REPORT_CPU | WITH_PROBES);
	options_clear(&options);
	cr_assert_eq(PARSE("--func", "read", "-p", "1", "--count-only"), 0);
	cr_assert(options.counts_only);
	options_clear(&options);
	cr_assert_eq(PARSE("--count-only", "-p", "1"), -EINVAL);
	cr_assert(strstr(error, "of which no report"));
	options_clear(&options);
	cr_assert_eq(PARSE("--count-only", "--no-probes", "-p", "1"), -EINVAL);
	options_clear(&options);
	cr_assert_eq(PARSE("--func", "read"), -EINVAL);
	cr_assert(strstr(error, "--lib"));
	options_clear(&options);
	cr_assert_eq(PARSE("--list", "--func", "", "-p", "1"), -EINVAL);
	options_clear(&options);
}

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
	cr_assert(strstr(error, "5ms"));
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

Test(options, reports)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("-p", "1"), 0);
	cr_assert_eq(options.report.parts, REPORT_SCREEN);
	cr_assert(options.records_blocking);
	options_clear(&options);
	cr_assert_eq(PARSE("-p", "1", "--format", "json"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES);
	cr_assert(options.report.names_calls_option);
	cr_assert_not(options.records_blocking);
	options_clear(&options);
	cr_assert_eq(PARSE("-p", "1", "--calls", "--report", "all"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES | WITH_PROBES);
	cr_assert_not(options.report.names_calls_option);
	options_clear(&options);
	cr_assert_eq(PARSE("--sort", "blocked"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES);
	cr_assert_eq(PARSE("--report", "all", "--blocking-report"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES | REPORT_BLOCKING_DEFAULT);
	cr_assert_eq(PARSE("--report", "all,chains"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES | REPORT_CHAINS);
	cr_assert_eq(PARSE("--depth", "0", "--report", "all"), 0);
	cr_assert_not(options.report.names_calls_option);
	cr_assert_eq(options.report.parts, REPORT_TABLES & ~REPORT_FUNCTIONS);
	cr_assert_eq(PARSE("--report", "threads,syscalls", "--sort", "switches", "--top", "5"), 0);
	cr_assert_eq(options.report.parts, REPORT_THREADS | REPORT_CALLS);
	cr_assert_eq(options.report.sort, SORT_SWITCHES);
	cr_assert_eq(options.report.top, 5);
	cr_assert_eq(PARSE("--no-syscalls", "--map-size", "threads=100000", "--report", "all"), 0);
	cr_assert_eq(options.report.parts, REPORT_THREADS | REPORT_CPU);
	cr_assert_eq(options.frequency, 199);
	cr_assert_eq(options.map_rows[RECORDER_MAP_THREADS], 100000);
	cr_assert_eq(PARSE("--no-syscalls"), 0);
	cr_assert_eq(options.report.parts, REPORT_SCREEN);
	cr_assert_eq(PARSE("--no-samples", "--report", "all"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES & ~REPORT_CPU);
	cr_assert_eq(options.frequency, 0);
	cr_assert_not(options.needs_samples);
	cr_assert_eq(PARSE("--frequency", "4000"), 0);
	cr_assert_eq(options.frequency, 4000);
	cr_assert(options.needs_samples);
	cr_assert_eq(PARSE("--report", "cpu"), 0);
	cr_assert(options.needs_samples);
	cr_assert_eq(options.map_rows[RECORDER_MAP_CALLS], 0);
	cr_assert_not(options.report.repeats);
	cr_assert_eq(PARSE("--interval", "0.5"), 0);
	cr_assert_eq(options.interval_ns, 500000000);
	cr_assert(options.report.repeats);
}

Test(options, depth)
{
	static const struct {
		char *words[2];
		struct scaler_stack_depth depth;
	} cases[] = {
		{ { "-p1", "--interval=1" }, { 127, 1 } },
		{ { "--folded", "-p1" }, { 127, 0 } },
		{ { "--depth=0", "-p1" }, { 0, 0 } },
		{ { "--depth", "5" }, { 5, 0 } },
		{ { "--folded", "--depth=app" }, { 127, 1 } },
		{ { "--no-syscalls", "-p1" }, { 127, 1 } },
		{ { "--no-syscalls", "--report=threads" }, { 0, 0 } },
		{ { "--report=tree,threads", "-p1" }, { 127, 0 } },
	};
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		cr_assert_eq(PARSE(cases[i].words[0], cases[i].words[1]), 0, "%zu: %s", i, error);
		cr_expect_eq(options.depth.frames, cases[i].depth.frames, "%zu", i);
		cr_expect_eq(options.depth.to_application, cases[i].depth.to_application, "%zu", i);
		options_clear(&options);
	}
	cr_assert_eq(PARSE("--component-of", "issuing"), 0);
	cr_expect_eq(options.report.component_of, COMPONENT_OF_ISSUING);
}

Test(options, filters)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("--syscalls", "read,%clock"), 0);
	cr_assert(syscall_filter_records(options.filter, SCALER_ABI_NATIVE, 0));
	cr_assert(syscall_filter_records(options.filter, SCALER_ABI_COMPAT, 3));
	cr_assert(syscall_filter_records(options.filter, SCALER_ABI_NATIVE, 228));
	cr_assert_not(syscall_filter_records(options.filter, SCALER_ABI_NATIVE, 1));
	cr_assert_not(syscall_filter_records(options.filter, SCALER_ABI_NATIVE, 600));
	options_clear(&options);
	cr_assert_eq(PARSE("syscalls", "!read,%net"), 0);
	cr_assert_eq(options.subcommand, SUBCOMMAND_SYSCALLS);
	cr_assert_not(syscall_filter_records(options.filter, SCALER_ABI_NATIVE, 0));
	cr_assert_not(syscall_filter_records(options.filter, SCALER_ABI_NATIVE, 41));
	cr_assert(syscall_filter_records(options.filter, SCALER_ABI_NATIVE, 1));
	options_clear(&options);
}

Test(options, subcommands)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("doctor"), 0);
	cr_assert_eq(PARSE("doctor", "--format", "json"), 0);
	cr_assert_eq(options.subcommand, SUBCOMMAND_DOCTOR);
	cr_assert_eq(options.format, &renderer_json);
	cr_assert_eq(PARSE("doctor", "--help"), 0);
	cr_assert_eq(options.subcommand, SUBCOMMAND_HELP);
	cr_assert_eq(PARSE("--version"), 0);
	cr_assert_eq(options.subcommand, SUBCOMMAND_VERSION);
	cr_assert_eq(PARSE("-h", "whatever"), 0);
	cr_assert_eq(options.subcommand, SUBCOMMAND_HELP);
}

static const struct {
	char *words[4];
	const char *named;
} refusals[] = {
	{ { "-p", "0" }, "'0'" },
	{ { "-p", "12,,7" }, "'12,,7'" },
	{ { "-p", "12," }, "'12,'" },
	{ { "-p", "-3" }, "'-3'" },
	{ { "-p", "99999999999999999999" }, "'99999999999999999999'" },
	{ { "-p" }, "'-p'" },
	{ { "--pid" }, "'--pid'" },
	{ { "-x" }, "'-x'" },
	{ { "--nonsense=3" }, "'--nonsense=3'" },
	{ { "--duration", "0", "--", "ls" }, "'0'" },
	{ { "--duration", "1m" }, "'1m'" },
	{ { "--duration", "nan" }, "'nan'" },
	{ { "--interval", "0.09" }, "from 0.1 on, or 100ms, not '0.09'" },
	{ { "--live", "--interval", "1" }, "--live and --interval exclude" },
	{ { "--live", "--report", "blocking,waits" }, "and no other report" },
	{ { "--live", "--lib", "libssl" }, "and no other report" },
	{ { "--live", "--sort", "name" }, "nothing to --sort" },
	{ { "--live", "--folded" }, "or --format json" },
	{ { "--live", "--syscalls", "read" }, "the blocking report has all" },
	{ { "--ready-fd", "-1" }, "'-1'" },
	{ { "-o", "", "--", "ls" }, "-o" },
	{ { "ls" }, "scaler-bpf -- ls" },
	{ { "doctor", "now" }, "'now'" },
	{ { "doctor", "-p", "1" }, "--pid is for tracing, not for doctor" },
	{ { "--top", "3", "syscalls" }, "--top is for tracing" },
	{ { "--" }, "'--'" },
	{ { "-p", "1", "--", "ls" }, "exclude" },
	{ { "--report", "threads,,syscalls" }, "'threads,,syscalls'" },
	{ { "--report", "" }, "''" },
	{ { "--sort", "size" }, "'size'" },
	{ { "--sort", "p99", "--report", "threads" }, "--sort" },
	{ { "--sort", "p99", "--folded" }, "--sort" },
	{ { "--top", "0" }, "'0'" },
	{ { "--top", "all" }, "'all'" },
	{ { "--syscalls", "read,reed" }, "'reed'" },
	{ { "--syscalls", "%nonsense" }, "'%nonsense'" },
	{ { "--syscalls", "read,!write" }, "'!write'" },
	{ { "--syscalls", "" }, "''" },
	{ { "--syscalls", "read", "--no-syscalls" }, "exclude" },
	{ { "--no-syscalls", "--report", "syscalls" }, "--no-syscalls" },
	{ { "--map-size", "calls=0" }, "'0'" },
	{ { "--map-size", "components=65536" }, "'65536'" },
	{ { "--map-size", "walls=9" }, "'walls=9'" },
	{ { "--depth", "128" }, "from 0 to 127, not '128'" },
	{ { "--depth", "all" }, "'all'" },
	{ { "--depth=0", "--folded" }, "--folded needs stacks" },
	{ { "--depth=0", "--component-of=calling" }, "--component-of calling needs" },
	{ { "--depth=0", "--report=threads,functions" }, "--report functions needs" },
	{ { "--depth=0", "--report=tree" }, "--report tree needs" },
	{ { "--frequency", "0" }, "1 to 4000" },
	{ { "--frequency", "4001" }, "1 to 4000" },
	{ { "--frequency", "99", "--no-samples" }, "exclude each other" },
	{ { "--no-samples", "--report", "cpu" }, "--no-samples leaves out" },
	{ { "--no-syscalls", "--folded" }, "--folded is about system calls" },
	{ { "--no-syscalls", "--depth=3", "--report", "threads" }, "--depth is about system calls" },
	{ { "--component-of", "libc" }, "'libc'" },
	{ { "--symbols", "/no/such" }, "--symbols cannot use '/no/such'" },
	{ { "--symbols", "/proc/self/exe" }, "takes a folder" },
	{ { "syscalls", "reed" }, "'reed'" },
	{ { "syscalls", "read", "write" }, "'write'" },
	{ { "-p", "1", "-t", "1" }, "exclude" },
	{ { "--cgroup", "a", "--", "ls" }, "exclude" },
	{ { "-t", "1", "--cgroup", "a" }, "exclude" },
	{ { "--without", "uprobe-multi,bpf" }, "'uprobe-multi,bpf'" },
	{ { "--comm", "" }, "empty" },
	{ { "--comm", "sixteen letters!" }, "'sixteen letters'" },
};

Test(options, refusals_name_the_culprit)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		char *const *words = refusals[i].words;
		char *argv[] = { "scaler-bpf", words[0], words[1], words[2], words[3], NULL };
		char error[OPTIONS_ERROR_SIZE] = "";
		struct options options;

		cr_expect_eq(parse(&options, error, argv), -EINVAL, "case %zu", i);
		cr_expect(strstr(error, refusals[i].named), "case %zu: %s", i, error);
		cr_expect_null(strchr(error, '\n'), "case %zu", i);
		options_clear(&options);
	}
}

Test(options, long_culprit_fits)
{
	char error[OPTIONS_ERROR_SIZE], word[2000];
	struct options options;

	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	cr_assert_eq(PARSE("-p", word), -EINVAL);
	cr_assert_lt(strlen(error), sizeof(error));
	options_clear(&options);
}
