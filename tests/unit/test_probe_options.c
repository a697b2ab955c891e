// SPDX-License-Identifier: GPL-2.0-only
/* The command line: when library functions get probes. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "cmd/options.h"

#define WORDS_MAX 6

static int parse(struct options *options, char *error, const char *const words[WORDS_MAX])
{
	char *argv[WORDS_MAX + 2] = { "scaler-bpf" };
	int argc = 1;

	for (; argc <= WORDS_MAX && words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	return options_parse(options, argc, argv, error);
}

/* Those of processes do if a report that is to be printed shows their calls. */
Test(probe_options, by_default)
{
	static const struct {
		const char *words[WORDS_MAX];
		bool probes;
		bool asks;
	} cases[] = {
		{ { "-p", "1" }, true, false },
		{ { "-t", "1" }, true, false },
		{ { "--comm", "name" }, true, false },
		{ { "--cgroup", "/some" }, true, false },
		{ { "--", "true" }, true, false },
		{ { NULL }, false, false },
		{ { "-p", "1", "--no-probes" }, false, false },
		{ { "-p", "1", "--no-syscalls" }, false, false },
		{ { "-p", "1", "--report", "threads" }, false, false },
		{ { "-p", "1", "--report", "library" }, true, true },
		{ { "-p", "1", "--report", "flow,threads" }, true, true },
		{ { "-p", "1", "--blocking-report" }, false, false },
		{ { "-p", "1", "--blocking-report", "--func", "read" }, false, false },
		{ { "-p", "1", "--live" }, false, false },
		{ { "-p", "1", "--folded" }, false, false },
		{ { "-p", "1", "--returns", "none" }, true, false },
		{ { "--lib", "libc" }, true, true },
		{ { "-p", "1", "--no-syscalls", "--func", "read" }, true, true },
		{ { "-p", "1", "--report", "threads", "--lib", "libc" }, true, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char error[OPTIONS_ERROR_SIZE] = "";
		struct options options;

		cr_assert_eq(parse(&options, error, cases[i].words), 0, "%zu: %s", i, error);
		cr_expect_eq(options.probes, cases[i].probes, "%zu", i);
		cr_expect_eq(options.asks_probes, cases[i].asks, "%zu", i);
		options_clear(&options);
	}
}

Test(probe_options, that_contradict_each_other)
{
	static const struct {
		const char *words[WORDS_MAX];
		const char *says;
	} cases[] = {
		{ { "-p", "1", "--no-probes", "--func", "read" }, "--func and --no-probes" },
		{ { "-p", "1", "--no-probes", "--report", "flow" }, "--no-probes leaves out" },
		{ { "--report", "library" }, "need --lib" },
		{ { "--func", "read" }, "needs --lib" },
		{ { "-p", "1", "--returns", "safe", "--report", "cpu" }, "of which no report" },
		{ { "-p", "1", "--returns", "safe", "--no-probes" }, "of which no report" },
		{ { "-p", "1", "--lib", "libc", "--folded" }, "--folded shows no library calls" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char error[OPTIONS_ERROR_SIZE] = "";
		struct options options;

		cr_expect_eq(parse(&options, error, cases[i].words), -EINVAL, "%zu", i);
		cr_expect(strstr(error, cases[i].says), "%zu: %s", i, error);
		options_clear(&options);
	}
}
