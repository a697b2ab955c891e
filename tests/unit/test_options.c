// SPDX-License-Identifier: GPL-2.0-only
/* The command line: what is accepted, and how the rest is refused. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "parse_options.h"

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

/* All is recorded, whatever is reported now. */
Test(options, recording)
{
	const unsigned int all = REPORT_ALL & ~(REPORT_NAMED_ALL | WITH_PROBES);
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("record", "-p", "1"), 0);
	cr_assert_str_eq(options.save, "scaler-bpf.trace");
	cr_assert_eq(options.records, REPORT_SCREEN | all);
	cr_assert_eq(options.report.parts, 0);
	cr_assert(options.records_blocking);
	cr_assert_not(options.depth.to_application);
	cr_assert_not(options.probes);
	options_clear(&options);
	cr_assert_eq(PARSE("record", "-o", "x", "-p", "1", "--func", "read", "--no-samples"), 0);
	cr_assert_str_eq(options.save, "x");
	cr_assert_null(options.output);
	cr_assert(options.probes);
	cr_assert_eq(options.frequency, 0);
	options_clear(&options);
	cr_assert_eq(PARSE("record", "--no-syscalls"), 0);
	cr_assert_eq(options.records & REPORT_OF_CALLS, 0);
	cr_assert(options.no_syscalls);
	cr_assert_eq(PARSE("--save", "x", "-p", "1", "--report", "threads", "-o", "y"), 0);
	cr_assert_eq(options.report.parts, REPORT_THREADS);
	cr_assert_eq(options.records & all, all);
	cr_assert_str_eq(options.output, "y");
	options_clear(&options);
	cr_assert_eq(PARSE("report", "x", "--wait-chains", "--func", "lock"), 0);
	cr_assert_str_eq(options.recording, "x");
	cr_assert_eq(options.report.filter.functions.count, 1);
	cr_assert_eq(options.report.parts, REPORT_CHAINS);
	options_clear(&options);
	cr_assert_eq(PARSE("report", "x", "-p", "1"), -EINVAL);
	options_clear(&options);
	cr_assert_eq(PARSE("record", "--save", "x"), -EINVAL);
	cr_assert_eq(PARSE("--save", "x", "--interval", "1"), -EINVAL);
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
	cr_assert_not(options.records_blocking);
	options_clear(&options);
	cr_assert_eq(PARSE("-p", "1", "--calls", "--report", "all"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES | WITH_PROBES);
	options_clear(&options);
	cr_assert_eq(PARSE("--sort", "blocked"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES);
	cr_assert_eq(PARSE("--report", "all", "--blocking-report"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES | REPORT_BLOCKING_DEFAULT);
	cr_assert_eq(PARSE("--report", "all,chains"), 0);
	cr_assert_eq(options.report.parts, REPORT_TABLES | REPORT_CHAINS);
	cr_assert_eq(PARSE("--depth", "0", "--report", "all"), 0);
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
	cr_assert_eq(PARSE("--verbose", "doctor", "--format", "json"), 0);
	cr_assert_eq(options.subcommand, SUBCOMMAND_DOCTOR);
	cr_assert(options.format == &renderer_json && options.verbose);
	cr_assert_eq(PARSE("doctor", "--help"), 0);
	cr_assert(options.subcommand == SUBCOMMAND_DOCTOR && options.names_subcommand && options.help);
	cr_assert_eq(PARSE("--version"), 0);
	cr_assert(options.version && !options.names_subcommand);
	cr_assert_eq(PARSE("-h", "whatever"), 0);
	cr_assert(options.help);
	options_clear(&options);
	cr_assert_eq(PARSE("trace", "-p", "1", "--top", "3"), 0);
	cr_assert(options.subcommand == SUBCOMMAND_TRACE && options.report.top == 3);
	options_clear(&options);
	cr_assert_eq(PARSE("-p", "1", "live", "--task", "a"), 0);
	cr_assert(options.report.stream == REPORT_STREAM_ENDED && options.report.parts == REPORT_BLOCKING);
	options_clear(&options);
	cr_assert_eq(PARSE("list", "--lib", "libc", "--", "ls", "--color"), 0);
	cr_assert(options.list && options.subcommand == SUBCOMMAND_LIST);
	cr_assert(options.target.command);
	options_clear(&options);
	/* What is behind the dashes is a command, whatever its name. */
	cr_assert_eq(PARSE("--", "doctor"), 0);
	cr_assert(options.subcommand == SUBCOMMAND_TRACE && !options.names_subcommand);
	options_clear(&options);
}

Test(options, times_and_shares_have_units)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;

	cr_assert_eq(PARSE("--delay", "2s", "--duration", "20us"), 0);
	cr_assert(options.delays && options.delay_ns == 2000000000 && options.duration_ns == 20000);
	cr_assert_eq(PARSE("-D", "500"), 0);
	cr_assert_eq(options.delay_ns, 500000000);
	cr_assert_eq(PARSE("-D", "0"), 0);
	cr_assert_not(options.delays);
	cr_assert_eq(PARSE("--overhead", "2.5%"), 0);
	cr_assert_float_eq(options.overhead, 0.025, 1e-12);
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
	{ { "--format=json", "--", "true" }, "needs -o FILE" },
	{ { "--folded", "--", "true" }, "--format folded beside a command" },
	{ { "--live", "--syscalls", "read" }, "the blocking report has all" },
	{ { "--ready-fd", "-1" }, "'-1'" },
	{ { "-o", "", "--", "ls" }, "-o" },
	{ { "ls" }, "scaler-bpf -- ls" },
	{ { "doctor", "now" }, "'now'" },
	{ { "doctor", "-p", "1" }, "doctor has no --pid; see scaler-bpf doctor --help" },
	{ { "--top", "3", "syscalls" }, "syscalls has no --top" },
	{ { "live", "--sort", "name" }, "live has no --sort" },
	{ { "list", "--format", "folded" }, "list takes --format text or json" },
	{ { "trace", "ls" }, "scaler-bpf trace -- ls" },
	{ { "trace", "--" }, "no command after" },
	{ { "-o", "--", "ls" }, "option '-o' needs an argument" },
	{ { "-D", "soon" }, "'soon'" },
	{ { "-D", "1.5" }, "with a unit" },
	{ { "--overhead", "5%%" }, "'5%%'" },
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
