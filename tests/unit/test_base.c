// SPDX-License-Identifier: GPL-2.0-only
/* Units, numbers and escaping. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/kernel_fields.h"
#include "base/kernel_path.h"
#include "base/parse.h"
#include "base/units.h"

Test(units, four_digits)
{
	static const struct {
		uint64_t time_ns;
		const char *text;
	} cases[] = {
		{ 0, "0 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.000 us" },
		{ 9999, "9.999 us" },
		{ 9999600, "10.00 ms" },
		{ 99996000, "100.0 ms" },
		{ 999949000, "999.9 ms" },
		{ 999950000, "1.000 s" },
		{ 123456789012, "123.5 s" },
		{ 1234567890123456, "1234568 s" },
		{ UINT64_MAX, "18446744074 s" },
	};
	char text[UNITS_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		cr_expect_str_eq(units_format_time(cases[i].time_ns, text), cases[i].text);
	cr_expect_str_eq(units_format_share(1, 3, text), "33.3%");
	cr_expect_str_eq(units_format_share(0, 0, text), "-");
	cr_expect_str_eq(units_format_size(1023, text), "1023 B");
	cr_expect_str_eq(units_format_size(1024, text), "1.000 KiB");
	cr_expect_str_eq(units_format_size(38UL << 20, text), "38.00 MiB");
	cr_expect_str_eq(units_format_size(UINT64_MAX, text), "16777216 TiB");
}

/* At every place where an escape may stand. */
Test(escape, shortens_between_escapes)
{
	char text[64];

	for (size_t at = 0; at + ESCAPE_FACTOR <= 40; at++) {
		size_t end;

		memset(text, 'a', 40);
		memcpy(text + at, "\\x0a", ESCAPE_FACTOR);
		memcpy(text + 40, "tail", sizeof("tail"));
		escape_shorten(text, 20);
		end = strlen(text);
		cr_expect_leq(end, 20u);
		cr_expect_geq(end, 20u - 2 * (ESCAPE_FACTOR - 1));
		cr_expect_str_eq(text + end - 4, "tail");
		cr_expect_not_null(strstr(text, "..."));
		cr_expect_eq(!strchr(text, '\\'), !strstr(text, "\\x0a"), "at %zu: %s", at, text);
		cr_expect_eq(!strchr(text, 'x'), !strstr(text, "\\x0a"), "at %zu: %s", at, text);
	}
	memcpy(text, "short", sizeof("short"));
	escape_shorten(text, 20);
	cr_expect_str_eq(text, "short");
}

Test(escape, leaves_nothing_to_a_terminal)
{
	char text[ESCAPE_FACTOR * 8 + 1];

	cr_expect_str_eq(escape_text("plain ~", 8, text), "plain ~");
	cr_expect_str_eq(escape_text("\033[2J", 8, text), "\\x1b[2J");
	cr_expect_str_eq(escape_text("a\\\n\x7f\xff", 8, text), "a\\x5c\\x0a\\x7f\\xff");
	cr_expect_str_eq(escape_text("12345678never", 8, text), "12345678");
	cr_expect_str_eq(escape_text("\xe2\x80\xae", 8, text), "\\xe2\\x80\\xae");
}

Test(parse, time)
{
	static const struct {
		const char *text;
		int err;
		uint64_t ns;
	} cases[] = {
		{ "10", 0, 10000000000 },
		{ "0.5", 0, 500000000 },
		{ "2.5s", 0, 2500000000 },
		{ "5ms", 0, 5000000 },
		{ "0.1ms", 0, 100000 },
		{ "1.0000000019", 0, 1000000001 },
		{ "250us", 0, 250000 },
		{ "1ns", 0, 1 },
		{ "1000000000", 0, 1000000000000000000 },
		{ "1000000000.1", -ERANGE, 0 },
		{ "1000000001", -ERANGE, 0 },
		{ "99999999999999999999ns", -ERANGE, 0 },
		{ "0", -ERANGE, 0 },
		{ "0.5ns", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "ms", -EINVAL, 0 },
		{ ".5", -EINVAL, 0 },
		{ "5.", -EINVAL, 0 },
		{ "5 ms", -EINVAL, 0 },
		{ "5m", -EINVAL, 0 },
		{ "-5", -EINVAL, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t ns = 0;

		cr_expect_eq(parse_time(cases[i].text, &ns), cases[i].err, "'%s'", cases[i].text);
		if (!cases[i].err)
			cr_expect_eq(ns, cases[i].ns, "'%s': %lu", cases[i].text, ns);
	}
}

Test(kernel_fields, numbers)
{
	char path[] = "/tmp/scaler-fields-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");

	fputs("Name:\tVmHWM:9\nVmHWMore: 3\nVmHWM:\t   1234 kB\nCapEff:\t000001ffffffffff\n", file);
	fclose(file);
	cr_expect_eq(kernel_field(path, "VmHWM", 10), 1234);
	cr_expect_eq(kernel_field(path, "CapEff", 16), 0x1ffffffffff);
	cr_expect_eq(kernel_field(path, "Cap", 16), 0);
	unlink(path);
	cr_expect_eq(kernel_field(path, "VmHWM", 10), 0);
}

Test(kernel_path, text)
{
	static const struct {
		struct scaler_path path;
		const char *text;
	} cases[] = {
		{ { .size = 8, .names = "c\0bb\0aaa" }, "/aaa/bb/c" },
		{ { .size = 4, .is_deleted = 1, .names = "b c" }, "/b c" },
		{ { .size = 4, .is_cut = 1, .names = "c\0b" }, ".../b/c" },
		{ { .size = 0 }, "/" },
		{ { .size = 0, .is_cut = 1 }, "..." },
		{ { .size = 11, .is_cut = 1, .is_apart = 1, .names = "memfd:name" }, "memfd:name" },
	};
	struct scaler_path longest = { .is_cut = 1 };
	char text[KERNEL_PATH_TEXT_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		cr_expect_str_eq(kernel_path_format(&cases[i].path, text), cases[i].text);
	while (longest.size < SCALER_PATH_SIZE) {
		longest.names[longest.size] = 'x';
		longest.size += 2;
	}
	cr_expect_eq(strlen(kernel_path_format(&longest, text)), KERNEL_PATH_TEXT_SIZE - 1);
}

/* As a stable sort by comparison has it. */
Test(array, sorted_as_it_should_be)
{
	static struct item {
		uint64_t key;
		uint32_t order;
	} items[5000];

	for (size_t bits = 0; bits <= 64; bits += 8) {
		srand48(1);
		for (size_t i = 0; i < ARRAY_SIZE(items); i++) {
			uint64_t random = (uint64_t)mrand48() << 32 ^ (uint64_t)mrand48();

			items[i] = (struct item){ bits ? random >> (64 - bits) : 0, (uint32_t)i };
		}
		cr_assert_eq(array_sort(items, ARRAY_SIZE(items), sizeof(*items)), 0);
		for (size_t i = 1; i < ARRAY_SIZE(items); i++)
			cr_assert(items[i - 1].key < items[i].key ||
				  (items[i - 1].key == items[i].key && items[i - 1].order < items[i].order));
	}
	cr_expect_eq(array_sort(NULL, 0, sizeof(*items)), 0);
}
