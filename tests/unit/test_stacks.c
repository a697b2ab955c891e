// SPDX-License-Identifier: GPL-2.0-only
/* Stacks by number, address spaces by number, and the tree and the folded lines that come of stacks. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scaler/known_code.h>

#include "analysis/report.h"
#include "model/address_spaces.h"
#include "model/stacks.h"
#include "render/renderer.h"
#include "synthetic.h"
#include "target/component.h"

Test(stacks, found_by_number_in_any_order)
{
	struct stacks stacks = { 0 }, copy;
	const __u64 sites[] = { 10, 11, 12 };

	cr_expect_null(stacks_find(&stacks, 1));
	for (uint32_t number = 300; number; number--)
		cr_assert_eq(stacks_add(&stacks, number, SCALER_STACK_COMPLETE, sites, number % 3 + 1, false),
			     0);
	cr_assert_eq(stacks_copy(&copy, &stacks), 0);
	stacks_clear(&stacks);
	/* One more, behind those that are sorted already. */
	cr_expect_eq(stacks_find(&copy, 300)->count, 1);
	cr_assert_eq(stacks_add(&copy, 1000, SCALER_STACK_LIMIT, sites + 1, 2, false), 0);
	for (uint32_t number = 1; number <= 300; number++) {
		const struct stack *stack = stacks_find(&copy, number);

		cr_assert(stack);
		cr_expect_eq(stack->count, number % 3 + 1);
		cr_expect_eq(copy.sites[stack->first], 10);
	}
	cr_expect_eq(stacks_find(&copy, 1000)->end, SCALER_STACK_LIMIT);
	cr_expect_eq(copy.sites[stacks_find(&copy, 1000)->first], 11);
	cr_expect_null(stacks_find(&copy, 301));
	stacks_clear(&copy);
}

Test(stacks, every_end_has_a_text)
{
	for (int end = 0; end < SCALER_STACK_ENDS; end++)
		cr_expect(stack_end_text((enum scaler_stack_end)end));
}

/* The kernel uses an entry of a map for another key while it may be read, a word at a time. */
Test(stacks, known_code_of_others_is_refused)
{
	enum { COUNT = 200 };
	struct scaler_known_code codes[COUNT];

	for (__u64 i = 0; i < COUNT; i++) {
		codes[i].site = 0x100000000000 * (i / 50) + 16 * i;
		codes[i].rule = (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_RSP,
							     .cfa_offset = (__s32)(8 * (i % 7)),
							     .rbp = (__u8)(i % 3) };
		codes[i].check = scaler_known_code_check(1, 0x7f0000000000 + i, &codes[i]);
	}
	for (__u64 i = 0; i < COUNT; i++) {
		cr_expect_eq(codes[i].check, scaler_known_code_check(1, 0x7f0000000000 + i, &codes[i]));
		cr_expect_neq(codes[i].check,
			      scaler_known_code_check(1 + (1 << 17), 0x7f0000000000 + i, &codes[i]),
			      "the key is the same");
		for (size_t other = 0; other < COUNT; other++) {
			struct scaler_known_code torn = codes[other];

			if (other == i)
				continue;
			cr_expect_neq(torn.check, scaler_known_code_check(1, 0x7f0000000000 + i, &torn));
			torn.check = codes[i].check;
			cr_expect_neq(torn.check, scaler_known_code_check(1, 0x7f0000000000 + i, &torn));
			torn.site = codes[i].site;
			if (memcmp(&torn.rule, &codes[i].rule, sizeof(torn.rule)))
				cr_expect_neq(torn.check,
					      scaler_known_code_check(1, 0x7f0000000000 + i, &torn));
		}
	}
}

Test(address_spaces, sites)
{
	const struct scaler_mapping mappings[] = {
		{ 0x1000, 0x3000, scaler_site(1, 0x500), 0, 1 },
		{ 0x3000, 0x4000, scaler_site(2, 0), 0, 0 },
		{ 0x8000, 0x9000, scaler_site(3, 0x8000), 1, 1 },
	};
	struct address_spaces *spaces = calloc(1, sizeof(*spaces));
	const struct address_space *space;

	cr_assert_eq(address_spaces_add(spaces, 7, mappings, 3), 0);
	space = address_spaces_find(spaces, 7);
	cr_assert(space);
	cr_expect_eq(address_space_site(space, 0xfff), 0);
	cr_expect_eq(address_space_site(space, 0x1000), scaler_site(1, 0x500));
	cr_expect_eq(address_space_site(space, 0x2fff), scaler_site(1, 0x24ff));
	cr_expect_eq(address_space_site(space, 0x3001), scaler_site(2, 1));
	cr_expect_eq(address_space_site(space, 0x4000), 0);
	cr_expect_eq(address_space_site(space, 0x8123), scaler_site(3, 0x8123));
	cr_expect_eq(address_space_mapping(space, 0x3001), &space->mappings[1]);
	cr_expect_null(address_space_mapping(space, 0x4000));
	cr_expect_null(address_spaces_find(spaces, 8));
	address_spaces_clear(spaces);
	free(spaces);
}

/* What is too old is not known any more, and never taken for another. */
Test(address_spaces, ring)
{
	struct address_spaces *spaces = calloc(1, sizeof(*spaces));

	for (uint64_t number = 1; number <= ADDRESS_SPACES_KEPT + 10; number++) {
		const struct scaler_mapping mapping = { 0, 1, number, 0, 0 };

		cr_assert_eq(address_spaces_add(spaces, number, &mapping, 1), 0);
	}
	cr_expect_null(address_spaces_find(spaces, 10));
	cr_expect_eq(address_space_site(address_spaces_find(spaces, 11), 0), 11);
	cr_expect_eq(address_space_site(address_spaces_find(spaces, ADDRESS_SPACES_KEPT + 10), 0),
		     ADDRESS_SPACES_KEPT + 10);
	address_spaces_clear(spaces);
	free(spaces);
}

#define MAIN scaler_site(1, 0x10)
#define READ scaler_site(2, 0x20)

static void add_row(struct profile *profile, uint32_t task, uint16_t number, uint32_t stack)
{
	const struct scaler_call_key key = { READ, task, { .number = number }, stack, 0 };
	const struct scaler_call_stats stats = { .count = 1, .total_ns = 100, .blocked_ns = number ? 60 : 0 };

	cr_assert_eq(profile_add_call(profile, &key, &stats), 0);
}

static void add_file(struct profile *profile, uint32_t number, const char *path)
{
	struct scaler_component component = { .key = { 70 + number, 0x800001, 0 } };

	kernel_path_set(&component.path, path);
	cr_assert_eq(profile_add_component(profile, number, &component), 0);
}

static void make_profile(struct profile *profile)
{
	const __u64 sites[] = { READ, MAIN };
	static const char *const names[] = { "one", "two;\033" };

	profile->window = (struct scaler_window){ .start_ns = 0, .end_ns = 1000 };
	for (uint32_t i = 0; i < 2; i++) {
		struct scaler_thread thread = { .serial = i + 1, .tgid = 1, .tid = i + 1, .since_ns = 1000 };

		strcpy(thread.comm, names[i]);
		cr_assert_eq(profile_add_thread(profile, &thread), 0);
	}
	add_file(profile, 1, "/no/such/program");
	add_file(profile, 2, "/no/such/lib c.so");
	/* 5 and 6 are the same: the first was learned. */
	cr_assert_eq(stacks_add(&profile->stacks, 5, SCALER_STACK_COMPLETE, sites, 2, false), 0);
	cr_assert_eq(stacks_add(&profile->stacks, 6, SCALER_STACK_COMPLETE, sites, 2, false), 0);
	cr_assert_eq(stacks_add(&profile->stacks, 7, SCALER_STACK_NO_RULE, sites, 1, false), 0);
	add_row(profile, 1, 0, 5);
	add_row(profile, 1, 0, 6);
	add_row(profile, 1, 1, 5);
	add_row(profile, 2, 0, 7);
	add_row(profile, 2, 0, SCALER_STACK_NONE);
}

static void expect_folded(struct profile *profile, enum sort_key sort, const char *expected)
{
	const struct report_options options = { .parts = REPORT_ALL, .top = 1, .sort = sort };
	struct report report;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	cr_assert_eq(synthetic_report(profile, &options, &report), 0);
	cr_assert_eq(renderer_run(&renderer_folded, &report, out), 0);
	fclose(out);
	cr_expect_str_eq(text, expected);
	free(text);
	report_clear(&report);
}

/* Rows with the same frames are one line; what is cut says so; names cannot break the format. */
Test(folded, lines)
{
	struct profile profile = { 0 };

	make_profile(&profile);
	expect_folded(&profile, SORT_DEFAULT,
		      "one;program+0x11;lib c.so+0x21;read_[k] 200\n"
		      "one;program+0x11;lib c.so+0x21;write_[k] 100\n"
		      "two\\x3b\\x1b;[cut: no rule];lib c.so+0x21;read_[k] 100\n"
		      "two\\x3b\\x1b;[cut: not known];lib c.so+0x21;read_[k] 100\n");
	expect_folded(&profile, SORT_BLOCKED, "one;program+0x11;lib c.so+0x21;write_[k] 60\n");
	profile_clear(&profile);
}

Test(call_tree, figures_add_up)
{
	const struct report_options options = { .parts = REPORT_ALL, .top = 1 };
	struct profile profile = { 0 };
	struct report report;

	make_profile(&profile);
	cr_assert_eq(synthetic_report(&profile, &options, &report), 0);
	cr_expect_eq(report.tree.nodes[0].figures.calls, 5);
	for (size_t i = 0; i < report.tree.count; i++) {
		const struct call_tree_node *node = &report.tree.nodes[i];
		uint64_t below = 0;

		for (size_t child = node->first_child; child; child = report.tree.nodes[child].next_sibling)
			below += report.tree.nodes[child].figures.calls;
		cr_expect_eq(node->figures.calls, node->kind == CALL_TREE_CALL ? node->figures.calls : below);
	}
	report_clear(&report);
	profile_clear(&profile);
}
