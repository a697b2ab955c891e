// SPDX-License-Identifier: GPL-2.0-only
/* What functions may come to call: of crafted code, each function of which says so in its name, and of cut files. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/code_exits.h"
#include "target/code_reach.h"

enum { CANCELS = 1, ANYTHING = 3 };

static uint32_t outside(const char *name, const char *version)
{
	cr_expect_eq(strncmp(version, "GLIBC_2.", 8) == 0, strcmp(name, "nothing_leaf") != 0, "%s: %s", name,
		     version);
	return !strcmp(name, "strlen") || !strcmp(name, "abort") ? 0 :
	       !strcmp(name, "read")                             ? CANCELS :
								   ANYTHING;
}

/* The bits of all functions of an open file, by the code of another; the caller frees them. */
static uint32_t *find_all(struct linkage *linkage, int fd, int code_fd, size_t most_instructions)
{
	const struct code_reach_rules rules = { outside, ANYTHING, most_instructions };
	uint64_t *addresses;
	uint32_t *bits;

	cr_assert_eq(linkage_read(linkage, fd), 0);
	addresses = calloc(linkage->export_count + 1, sizeof(*addresses));
	bits = calloc(linkage->export_count + 1, sizeof(*bits));
	for (size_t i = 0; i < linkage->export_count; i++)
		addresses[i] = linkage->exports[i].address;
	cr_assert_eq(code_reach_find(&rules, linkage, code_fd, addresses, linkage->export_count, bits), 0);
	free(addresses);
	return bits;
}

static uint32_t bits_by_name(const char *name)
{
	if (!strncmp(name, "nothing", strlen("nothing")))
		return 0;
	return strncmp(name, "cancels", strlen("cancels")) ? ANYTHING : CANCELS;
}

Test(code_reach, follows_calls_branches_and_switches)
{
	int fd = open(REACH, O_RDONLY | O_CLOEXEC);
	struct linkage linkage;
	uint32_t *bits = find_all(&linkage, fd, fd, 10000);

	cr_expect_gt(linkage.export_count, 20);
	for (size_t i = 0; i < linkage.export_count; i++)
		cr_expect_eq(bits[i], bits_by_name(linkage.exports[i].name), "%s: %u",
			     linkage.exports[i].name, bits[i]);
	free(bits);
	linkage_clear(&linkage);
	close(fd);
}

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
	int fd = open(REACH, O_RDONLY | O_CLOEXEC);
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

Test(code_reach, knows_nothing_that_it_has_not_followed)
{
	int fd = open(REACH, O_RDONLY | O_CLOEXEC);
	size_t known = 0;

	for (size_t most = 0; most < 200; most++) {
		struct linkage linkage;
		uint32_t *bits = find_all(&linkage, fd, fd, most);
		size_t count = 0;

		for (size_t i = 0; i < linkage.export_count; i++) {
			uint32_t expected = bits_by_name(linkage.exports[i].name);

			cr_expect(bits[i] == expected || bits[i] == ANYTHING, "%s of %zu",
				  linkage.exports[i].name, most);
			count += bits[i] != ANYTHING;
		}
		cr_expect_geq(count, known);
		cr_expect(most || !count);
		known = count;
		free(bits);
		linkage_clear(&linkage);
	}
	cr_expect_gt(known, 10);
	close(fd);
}

Test(code_reach, takes_code_that_the_file_lacks_for_anything)
{
	int whole = open(REACH, O_RDONLY | O_CLOEXEC), cut = memfd_create("empty", MFD_CLOEXEC);
	struct linkage linkage;
	uint32_t *bits = find_all(&linkage, whole, cut, 10000);

	cr_expect_gt(linkage.export_count, 20);
	for (size_t i = 0; i < linkage.export_count; i++)
		cr_expect_eq(bits[i], ANYTHING, "%s", linkage.exports[i].name);
	free(bits);
	linkage_clear(&linkage);
	close(whole);
	close(cut);
}
