// SPDX-License-Identifier: GPL-2.0-only
/* Where calls end: of crafted code, and of files that lack theirs. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "code/code_exits.h"

/* How many exits are found, and whether the function may jump to where another begins. */
static const struct {
	const char *name;
	int count;
	bool jumps_on;
} expected_exits[] = {
	{ "nothing_leaf", 1, false },
	{ "nothing_loop", 1, false },
	{ "nothing_recursion", 1, false },
	{ "nothing_strlen", 1, false },
	{ "nothing_strlen_tail", 0, false }, /* where it begins */
	{ "nothing_abort", 0, false },
	{ "nothing_trap", 0, false },
	{ "anything_pointer", 1, false },
	{ "anything_tail_pointer", 0, false },
	{ "anything_far_away", 2, false },
	{ "anything_falls_through", 1, false },
	{ "nothing_switch", 2, false },
	{ "cancels_switch", 2, false },
	{ "anything_switch_without_limit", 0, false },
	{ "anything_switch_that_lies", 0, false },
	{ "nothing_jumps_on", 2, true },
	{ "nothing_jumps_out", 1, false },
	{ "nothing_branches_out", 0, false },
	{ "anything_takes_its_frame_down", 1, false },
	{ "anything_unknown_instruction", 0, false },
};

static uint64_t address_of(const struct linkage *linkage, const char *name)
{
	for (size_t i = 0; i < linkage->export_count; i++) {
		if (!strcmp(linkage->exports[i].name, name))
			return linkage->exports[i].address;
	}
	cr_assert_fail("%s", name);
	return 0;
}

Test(code_exits, lie_where_code_leaves_its_function)
{
	int fd = open(EXITS, O_RDONLY | O_CLOEXEC);
	struct linkage linkage;
	struct code_flow *flow;

	cr_assert_eq(linkage_read(&linkage, fd), 0);
	cr_assert_eq(code_flow_open(&flow, &linkage, fd), 0);
	for (size_t i = 0; i < sizeof(expected_exits) / sizeof(*expected_exits); i++) {
		uint64_t address = address_of(&linkage, expected_exits[i].name);
		struct code_exits exits;

		cr_assert_eq(code_exits_find(flow, address, &exits), 0);
		cr_expect_eq((int)exits.count, expected_exits[i].count, "%s: %zu", expected_exits[i].name,
			     exits.count);
		cr_expect(!exits.count || exits.jumps_on == expected_exits[i].jumps_on, "%s",
			  expected_exits[i].name);
		for (size_t at = 0; at < exits.count; at++)
			cr_expect(exits.items[at] != address &&
				  (!at || exits.items[at] > exits.items[at - 1]));
	}
	code_flow_close(flow);
	linkage_clear(&linkage);
	close(fd);
}

Test(code_exits, are_not_known_of_code_that_the_file_lacks)
{
	int whole = open(EXITS, O_RDONLY | O_CLOEXEC), cut = memfd_create("empty", MFD_CLOEXEC);
	struct linkage linkage;
	struct code_flow *flow;

	cr_assert_eq(linkage_read(&linkage, whole), 0);
	cr_assert_gt(linkage.export_count, 20);
	cr_assert_eq(code_flow_open(&flow, &linkage, cut), 0);
	for (size_t i = 0; i < linkage.export_count; i++) {
		struct code_exits exits;

		cr_assert_eq(code_exits_find(flow, linkage.exports[i].address, &exits), 0);
		cr_expect_eq(exits.count, 0, "%s", linkage.exports[i].name);
	}
	code_flow_close(flow);
	linkage_clear(&linkage);
	close(whole);
	close(cut);
}
