// SPDX-License-Identifier: GPL-2.0-only
/* Which functions may be timed in which process, by what the C library's headers say and what the files import. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include <scaler/return_hazard.h>

#include "probe/return_safety.h"
#include "target/component.h"
#include "target/libc_functions.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define ALWAYS (SCALER_RETURN_ANYWHERE | SCALER_RETURN_UNKNOWN | SCALER_RETURN_TRACED)
#define ALL    (ALWAYS | SCALER_RETURN_CANCELS | SCALER_RETURN_UNWINDS)

Test(libc_functions, are_sorted_and_named_once)
{
	size_t count;
	const struct libc_function *functions = libc_functions_all(&count);

	cr_expect_gt(count, 500, "%zu functions", count);
	for (size_t i = 1; i < count; i++)
		cr_expect_lt(strcmp(functions[i - 1].name, functions[i].name), 0, "%s", functions[i].name);
}

Test(libc_functions, promise_what_the_manual_says)
{
	static const struct libc_function expected[] = {
		{ "malloc", LIBC_THROWS_NOTHING },
		{ "strlen", LIBC_THROWS_NOTHING },
		{ "pthread_mutex_lock", LIBC_THROWS_NOTHING },
		{ "read", LIBC_CALLS_NOTHING },
		{ "write", LIBC_CALLS_NOTHING },
		{ "poll", LIBC_CALLS_NOTHING },
		{ "epoll_wait", LIBC_CALLS_NOTHING },
		{ "pthread_join", LIBC_CALLS_NOTHING },
		{ "pthread_cond_wait", LIBC_CALLS_NOTHING },
		{ "qsort", LIBC_PROMISES_NOTHING },
		{ "bsearch", LIBC_PROMISES_NOTHING },
		{ "pthread_once", LIBC_PROMISES_NOTHING },
		{ "ftw", LIBC_PROMISES_NOTHING },
		{ "__memcpy_chk", LIBC_THROWS_NOTHING },
		{ "__printf_chk", LIBC_CALLS_NOTHING },
		{ "__isoc99_sscanf", LIBC_THROWS_NOTHING },
		{ "no_such_function", LIBC_PROMISES_NOTHING },
	};

	for (size_t i = 0; i < COUNT(expected); i++) {
		cr_expect_eq(libc_functions_find("libc.so.6", expected[i].name), expected[i].promise, "%s",
			     expected[i].name);
		cr_expect_eq(libc_functions_find("libother.so.6", expected[i].name), LIBC_PROMISES_NOTHING,
			     "%s of another library", expected[i].name);
	}
}

Test(return_safety, of_a_function_follows_its_promise)
{
	cr_expect_eq(return_safety_of_function("libc.so.6", "malloc"), ALWAYS);
	cr_expect_eq(return_safety_of_function("libc.so.6", "read"), ALWAYS | SCALER_RETURN_CANCELS);
	cr_expect_eq(return_safety_of_function("libc.so.6", "qsort"), ALL);
	cr_expect_eq(return_safety_of_function("libjemalloc.so.2", "malloc"), ALL);
	cr_expect_eq(return_safety_of_name("malloc"), PLAN_TIMED);
	cr_expect_eq(return_safety_of_name("setjmp"), PLAN_LEAVES);
	cr_expect_eq(return_safety_of_name("dlsym"), PLAN_LOOKS_BACK);
}

Test(return_safety, of_a_call_follows_what_it_is_linked_by)
{
	cr_expect_eq(return_safety_of_call("strlen", "GLIBC_2.2.5"), 0);
	cr_expect_eq(return_safety_of_call("read", "GLIBC_2.2.5"), SCALER_RETURN_CANCELS);
	cr_expect_eq(return_safety_of_call("qsort", "GLIBC_2.2.5"), RETURN_SAFETY_UNPROVEN);
	cr_expect_eq(return_safety_of_call("strlen", ""), RETURN_SAFETY_UNPROVEN);
	cr_expect_eq(return_safety_of_call("strlen", "OTHER_1.0"), RETURN_SAFETY_UNPROVEN);
	cr_expect_eq(return_safety_of_call("_ZdlPv", "GLIBCXX_3.4"), 0);
	cr_expect_eq(return_safety_of_call("_Znwm", "GLIBCXX_3.4"), RETURN_SAFETY_UNPROVEN);
	cr_expect_eq(return_safety_of_call("_Unwind_Resume", "GCC_3.0"), RETURN_SAFETY_UNPROVEN);
}

/* What a file with those imports may do. */
static uint32_t abilities_with(const char *path, const char *first, const char *second)
{
	struct linkage_import imports[] = { { first, "", 0 }, { second, "", 0 } };
	struct linked_file file = { .linkage = { .imports = imports, .import_count = COUNT(imports) } };

	kernel_path_set(&file.component.path, path);
	return return_safety_of_file(&file);
}

/* The hazards in a process that has mapped two files with each of those imports. */
static uint32_t hazards_with(const char *first, const char *second)
{
	return scaler_return_hazards(abilities_with("/bin/application", first, first) |
				     abilities_with("/lib/libsecond.so", "write", second));
}

Test(return_safety, of_a_process_follows_what_all_its_files_import)
{
	cr_expect_eq(hazards_with("read", "write"), 0);
	cr_expect_eq(hazards_with("read", "__cxa_throw"), SCALER_RETURN_UNWINDS);
	cr_expect_eq(hazards_with("_Unwind_Backtrace", "write"), SCALER_RETURN_UNWINDS);
	/* Threads of C have their cleanups in a list; what compilers generate is found by unwinding. */
	cr_expect_eq(hazards_with("pthread_cancel", "pthread_exit"), 0);
	cr_expect_eq(hazards_with("pthread_exit", "_Unwind_Resume"), SCALER_RETURN_UNWINDS);
	cr_expect_eq(hazards_with("_Unwind_Resume", "pthread_cancel"),
		     SCALER_RETURN_UNWINDS | SCALER_RETURN_CANCELS);
	cr_expect_eq(hazards_with("_Unwind_Resume", "_Unwind_Resume"), 0);
	cr_expect_eq(hazards_with("fopencookie", "write"), 0);
	cr_expect_eq(hazards_with("fopencookie", "__cxa_throw"),
		     SCALER_RETURN_UNWINDS | SCALER_RETURN_CANCELS);
}

Test(return_safety, does_not_count_what_the_c_library_has_for_others)
{
	cr_expect_eq(abilities_with("/lib/libc.so.6", "_Unwind_Backtrace", "dl_iterate_phdr"), 0);
}

Test(return_safety, of_what_cannot_be_known_is_none)
{
	struct linked_file unreadable = { .error = -EACCES };

	cr_expect_eq(scaler_return_hazards(return_safety_of_file(&unreadable)), SCALER_RETURN_ANYWHERE);
	cr_expect_eq(return_safety_of_file(&(struct linked_file){ .linkage = { .is_go = true } }),
		     SCALER_MOVES_STACKS);
	cr_expect_eq(scaler_return_hazards(SCALER_IS_NEW), SCALER_RETURN_UNKNOWN);
	cr_expect_eq(scaler_return_hazards(SCALER_MOVES_STACKS), SCALER_RETURN_ANYWHERE);
	cr_expect_eq(scaler_return_hazards(SCALER_TRACES), SCALER_RETURN_TRACED);
}

Test(return_safety, names_the_reason_that_lasts)
{
	cr_expect_eq(plan_untimed_by(0), PLAN_TIMED);
	cr_expect_eq(plan_untimed_by(SCALER_RETURN_UNKNOWN), PLAN_PROCESS_NEW);
	cr_expect_eq(plan_untimed_by(SCALER_RETURN_UNKNOWN | SCALER_RETURN_ANYWHERE), PLAN_PROCESS_UNKNOWN);
	cr_expect_eq(plan_untimed_by(SCALER_RETURN_UNKNOWN | SCALER_RETURN_TRACED), PLAN_PROCESS_TRACED);
	cr_expect_eq(plan_untimed_by(SCALER_RETURN_UNKNOWN | SCALER_RETURN_UNWINDS), PLAN_PROCESS_UNWINDS);
}
