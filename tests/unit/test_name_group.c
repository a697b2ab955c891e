// SPDX-License-Identifier: GPL-2.0-only
/* Names that differ in their numbers alone. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/name_group.h"

static const char *group_of(const char *const *names, char text[NAME_GROUP_SIZE])
{
	struct name_group group = { 0 };

	for (; *names; names++) {
		char name[SCALER_COMM_SIZE] = { 0 };

		memcpy(name, *names, strnlen(*names, sizeof(name)));
		name_group_add(&group, name);
	}
	return name_group_format(&group, text);
}

Test(name_group, names)
{
	static const struct {
		const char *names[4];
		const char *group;
	} cases[] = {
		{ { "main" }, "main" },
		{ { "get-3" }, "get-3" },
		{ { "get-3", "get-3" }, "get-3" },
		{ { "get-3", "get-0", "get-12" }, "get-0..12" },
		{ { "9p", "10p" }, "9..10p" },
		/* No one number tells them apart. */
		{ { "cpu0/rx1", "cpu1/rx0" }, "cpu#/rx#" },
		/* All of the name, without an end. */
		{ { "0123456789abcde1", "0123456789abcde2" }, "#abcde#" },
		{ { "a#1", "a#2" }, "a#1..2" },
		{ { "" }, "" },
	};
	char text[NAME_GROUP_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_str_eq(group_of(cases[i].names, text), cases[i].group, "case %zu: %s", i, text);
}

Test(name_group, merge)
{
	char name[SCALER_COMM_SIZE] = "kworker/12:1-ev";

	name_group_merge(name);
	cr_expect_arr_eq(name, "kworker/#:#-ev\0\0", SCALER_COMM_SIZE);
}
