// SPDX-License-Identifier: GPL-2.0-only
/* The command line: when library functions get probes. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "options/options.h"

#define WORDS_MAX 6

static int parse(struct options *options, char *error, const char *const words[WORDS_MAX])
{
	char *argv[WORDS_MAX + 2] = { "scaler-bpf" };
	int argc = 1;

	for (; argc <= WORDS_MAX && words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	return options_parse(options, argc, argv, error);
}

/* Nothing is probed that is not asked for. */
Test(probe_options, asked_for)
{
	static const struct {
		const char *words[WORDS_MAX];
		bool probes;
	} cases[] = {
		{ { "-p", "1" }, false },
		{ { "-t", "1" }, false },
		{ { "--comm", "name" }, false },
		{ { "--cgroup", "/some" }, false },
		{ { "--", "true" }, false },
		{ { NULL }, false },
		{ { "-p", "1", "--no-probes" }, false },
		{ { "-p", "1", "--overhead", "1" }, false },
		{ { "-p", "1", "--no-syscalls" }, false },
		{ { "-p", "1", "--report", "threads" }, false },
		{ { "-p", "1", "--blocking-report" }, false },
		{ { "-p", "1", "--blocking-report", "--func", "read" }, false },
		{ { "-p", "1", "--live" }, false },
		{ { "-p", "1", "--folded" }, false },
		{ { "-p", "1", "--calls" }, true },
		{ { "--calls", "-p", "1" }, true },
		{ { "--calls", "--", "true" }, true },
		{ { "-p", "1", "--calls=exports" }, true },
		{ { "--calls", "exports", "-p", "1" }, true },
		{ { "-p", "1", "--calls", "--count-only" }, true },
		{ { "-p", "1", "--report", "library" }, true },
		{ { "-p", "1", "--report", "flow,threads" }, true },
		{ { "--lib", "libc" }, true },
		{ { "-p", "1", "--func", "read" }, true },
		{ { "-p", "1", "--no-syscalls", "--func", "read" }, true },
		{ { "-p", "1", "--blocking-report", "--calls", "--func", "read" }, true },
		{ { "-p", "1", "--report", "threads", "--lib", "libc" }, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char error[OPTIONS_ERROR_SIZE] = "";
		struct options options;

		cr_assert_eq(parse(&options, error, cases[i].words), 0, "%zu: %s", i, error);
		cr_expect_eq(options.probes, cases[i].probes, "%zu", i);
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
		{ { "-p", "1", "--count-only", "--report", "cpu" }, "of which no report" },
		{ { "-p", "1", "--count-only", "--no-probes" }, "--count-only and --no-probes" },
		{ { "-p", "1", "--no-probes", "--calls" }, "--calls and --no-probes" },
		{ { "-p", "1", "--calls=some" }, "--calls takes edges or exports" },
		{ { "--calls" }, "needs --lib" },
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

Test(probe_options, edges_or_exports)
{
	static const struct {
		const char *words[WORDS_MAX];
		enum plan_calls calls;
	} cases[] = {
		{ { "-p", "1", "--calls" }, PLAN_EDGES },
		{ { "-p", "1", "--calls=edges" }, PLAN_EDGES },
		{ { "--calls", "edges", "-p", "1" }, PLAN_EDGES },
		{ { "-p", "1", "--calls=exports" }, PLAN_EXPORTS },
		{ { "--calls", "exports", "-p", "1" }, PLAN_EXPORTS },
		{ { "--calls", "exports", "--calls", "-p", "1" }, PLAN_EDGES },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char error[OPTIONS_ERROR_SIZE] = "";
		struct options options;

		cr_assert_eq(parse(&options, error, cases[i].words), 0, "%zu: %s", i, error);
		cr_expect_eq(options.plan.calls, cases[i].calls, "%zu", i);
		cr_expect_null(options.target.command, "%zu", i);
		options_clear(&options);
	}
}
