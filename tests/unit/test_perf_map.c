// SPDX-License-Identifier: GPL-2.0-only
/* Names of generated code, by the text of a map. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "code/generated_names.h"
#include "target/perf_map.h"
#include "target/process.h"

#define ADDRESSES 6
static const uint64_t addresses[ADDRESSES] = { 0x1000, 0x1010, 0x1fff, 0x2000, 0x3000, UINT64_MAX };

/* The names of all addresses, "-" where there is none. The text's copy ends where it does, for the sanitizer. */
static const char *names_by(const char *text)
{
	static char joined[256];
	struct generated_names map = { .text = strndup(text, strlen(text)), .size = strlen(text) };
	struct generated_name names[ADDRESSES];

	map.text = realloc(map.text, map.size + !map.size);
	cr_assert_eq(generated_names_find(&map, addresses, ADDRESSES, names), 0);
	*joined = '\0';
	for (size_t i = 0; i < ADDRESSES; i++) {
		strcat(joined, i ? " " : "");
		strncat(joined, names[i].text ?: "-", names[i].text ? names[i].length : 1);
	}
	generated_names_clear(&map);
	return joined;
}

Test(perf_map, names)
{
	cr_expect_str_eq(names_by(""), "- - - - - -");
	cr_expect_str_eq(names_by("1000 1000 a\n"), "a a a - - -");
	cr_expect_str_eq(names_by("0x1000 0X10 a\n1FFF 1 b c\n"), "a - b c - - -");
	cr_expect_str_eq(names_by("\n\n1001 f \n"), "- - - - - -");
	cr_expect_str_eq(names_by("fff 2 a\n2001 fff b\n"), "a - - - - -");
}

Test(perf_map, the_last_counts)
{
	cr_expect_str_eq(names_by("1000 2001 a\n1010 10 b\n"), "a b a a a -");
	cr_expect_str_eq(names_by("1010 10 b\n1000 2001 a\n"), "a a a a a -");
	cr_expect_str_eq(names_by("1000 10 a\n2000 2000 b\n1fff 2 c\n1000 1 d\n"), "d - c c b -");
}

Test(perf_map, lines_that_are_none)
{
	cr_expect_str_eq(names_by("1000 1000 a\n1000 1000 b"), "a a a - - -", "not yet written to its end");
	cr_expect_str_eq(names_by("1000 1000\n1000\nname\n-1 1 a\n1000 -1 b\n 1000 10 c\n1000 1000 \n"),
			 "- - - - - -");
	cr_expect_str_eq(names_by("1000  10 a\n10000000000000001000 10 b\n1000 0 c\n"), "- - - - - -");
	cr_expect_str_eq(names_by("3000 ffffffffffffffff a\n"), "- - - - a -");
	cr_expect_str_eq(names_by("0 ffffffffffffffff a\n"), "a a a a a -");
}

Test(process, itself)
{
	struct process process;

	cr_assert_eq(process_inspect(&process, getpid()), 0);
	cr_expect_eq(process.pid, getpid());
	cr_expect_eq(process.inner_pid, getpid());
	cr_expect_gt(process.start_ns, 0);
	cr_expect_eq(process.start_ns % PROCESS_START_STEP_NS, 0);
	cr_expect(!process.ended && !process.kernel_thread);
}
