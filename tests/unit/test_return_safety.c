// SPDX-License-Identifier: GPL-2.0-only
/* Which functions may be timed in which process, by what the C library's headers say and what the files import. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "probe/return_safety.h"
#include "target/component.h"
#include "target/libc_functions.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define ALL (RETURN_ANYWHERE | RETURN_CANCELS | RETURN_UNWINDS)

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
	cr_expect_eq(return_safety_of_function("libc.so.6", "malloc"), RETURN_ANYWHERE);
	cr_expect_eq(return_safety_of_function("libc.so.6", "read"), RETURN_ANYWHERE | RETURN_CANCELS);
	cr_expect_eq(return_safety_of_function("libc.so.6", "qsort"), ALL);
	cr_expect_eq(return_safety_of_function("libjemalloc.so.2", "malloc"), ALL);
	cr_expect_eq(return_safety_of_name("malloc"), PLAN_TIMED);
	cr_expect_eq(return_safety_of_name("setjmp"), PLAN_LEAVES);
	cr_expect_eq(return_safety_of_name("dlsym"), PLAN_LOOKS_BACK);
}

/* The hazards in a process that has mapped a file with each of those imports. */
static unsigned int hazards_with(const char *first, const char *second)
{
	struct linkage_import imports[] = { { first, "", 0 }, { second, "", 0 } };
	pid_t pid = 7, other = 8;
	struct linked_file items[] = {
		{ .linkage = { .imports = &imports[0], .import_count = 1 },
		  .processes = &pid,
		  .process_count = 1 },
		{ .linkage = { .imports = &imports[1], .import_count = 1 },
		  .processes = &pid,
		  .process_count = 1 },
		/* Of another process, whose files are not to be read. */
		{ .error = -EACCES, .processes = &other, .process_count = 1 },
	};
	const struct linked_files files = { .items = items, .count = COUNT(items) };
	struct return_safety safety;
	unsigned int found;

	component_set_path(&items[0].component, "/bin/application");
	component_set_path(&items[1].component, "/lib/libsecond.so");
	component_set_path(&items[2].component, "/lib/libthird.so");
	cr_assert_eq(return_safety_make(&safety, &files), 0);
	found = return_safety_of_process(&safety, pid);
	cr_expect_eq(return_safety_of_process(&safety, other), RETURN_ANYWHERE);
	cr_expect_eq(return_safety_of_process(&safety, 0), RETURN_ANYWHERE);
	return_safety_clear(&safety);
	return found;
}

Test(return_safety, of_a_process_follows_what_all_its_files_import)
{
	cr_expect_eq(hazards_with("read", "write"), 0);
	cr_expect_eq(hazards_with("read", "__cxa_throw"), RETURN_UNWINDS);
	cr_expect_eq(hazards_with("_Unwind_Backtrace", "write"), RETURN_UNWINDS);
	/* Threads of C have their cleanups in a list; what compilers generate is found by unwinding. */
	cr_expect_eq(hazards_with("pthread_cancel", "pthread_exit"), 0);
	cr_expect_eq(hazards_with("pthread_exit", "_Unwind_Resume"), RETURN_UNWINDS);
	cr_expect_eq(hazards_with("_Unwind_Resume", "pthread_cancel"), RETURN_UNWINDS | RETURN_CANCELS);
	cr_expect_eq(hazards_with("_Unwind_Resume", "_Unwind_Resume"), 0);
	cr_expect_eq(hazards_with("fopencookie", "write"), 0);
	cr_expect_eq(hazards_with("fopencookie", "__cxa_throw"), RETURN_UNWINDS | RETURN_CANCELS);
}

Test(return_safety, does_not_count_what_the_c_library_has_for_others)
{
	struct linkage_import unwinds = { "_Unwind_Backtrace", "", 0 };
	struct linked_file item = { .linkage = { .imports = &unwinds, .import_count = 1 } };
	const struct linked_files files = { .items = &item, .count = 1 };
	struct return_safety safety;

	component_set_path(&item.component, "/lib/libc.so.6");
	cr_assert_eq(return_safety_make(&safety, &files), 0);
	cr_expect_eq(return_safety_of_process(&safety, 0), 0);
	return_safety_clear(&safety);
}
