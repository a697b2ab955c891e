// SPDX-License-Identifier: GPL-2.0-only
/* What the parser says of files is what is read of them directly, and what it says wrongly is not taken. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "code/call_targets.h"
#include "elf/unwind_table.h"
#include "parser/code.h"
#include "parser/names.h"
#include "parser/rules.h"

static struct parser *parser;

static void set_up(void)
{
	cr_assert_eq(parser_open(&parser, -1), 0);
}

static void tear_down(void)
{
	parser_close(parser);
}

TestSuite(parser, .init = set_up, .fini = tear_down);

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	cr_assert_geq(fd, 0, "%s", path);
	return fd;
}

static int open_text(const char *text)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	return fd;
}

static void expect_same_linkage(const struct linkage *a, const struct linkage *b)
{
	cr_assert_eq(a->export_count, b->export_count);
	for (size_t i = 0; i < a->export_count; i++) {
		cr_expect_str_eq(a->exports[i].name, b->exports[i].name);
		cr_expect_str_eq(a->exports[i].version, b->exports[i].version);
		cr_expect_eq(a->exports[i].address, b->exports[i].address);
		cr_expect_eq(a->exports[i].resolver, b->exports[i].resolver);
		cr_expect_eq(a->exports[i].is_default, b->exports[i].is_default);
	}
	cr_assert_eq(a->import_count, b->import_count);
	for (size_t i = 0; i < a->import_count; i++) {
		cr_expect_str_eq(a->imports[i].name, b->imports[i].name);
		cr_expect_str_eq(a->imports[i].version, b->imports[i].version);
		cr_expect_eq(a->imports[i].slot, b->imports[i].slot);
	}
	cr_assert_eq(a->segments.count, b->segments.count);
	for (size_t i = 0; i < a->segments.count; i++)
		cr_expect_arr_eq(&a->segments.items[i], &b->segments.items[i], sizeof(a->segments.items[i]));
}

Test(parser, linkage)
{
	static const char *const paths[] = { LIBRARY, EXITS, "/proc/self/exe",
					     "/lib64/ld-linux-x86-64.so.2" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		int fd = open_file(paths[i]);
		struct linkage own, told;

		cr_assert_eq(linkage_read(&own, fd), 0);
		cr_assert_eq(parser_read_linkage(parser, fd, &told), 0);
		expect_same_linkage(&own, &told);
		linkage_clear(&own);
		linkage_clear(&told);
		close(fd);
	}
}

Test(parser, files_that_are_none)
{
	struct parser_table table;
	struct linkage linkage;
	struct symbol_place place;
	const uint64_t offset = 0;
	bool has_functions;
	int fd = open_text("#!/bin/sh\n");

	cr_expect_eq(parser_read_linkage(parser, fd, &linkage), -ENOEXEC);
	linkage_clear(&linkage);
	cr_expect_eq(parser_open_table(parser, fd, -1, &table), -ENOEXEC);
	cr_expect_eq(parser_name_places(parser, fd, -1, &offset, 1, &place, &has_functions), -ENOEXEC);
	cr_expect_null(place.name);
	close(fd);
}

Test(parser, rules)
{
	int fd = open_file(FRAMES "/eh_frame.so");
	struct scaler_unwind_rule rule, own;
	struct unwind_table *direct;
	struct parser_table table;
	uint64_t word, own_word;

	cr_assert_eq(unwind_table_open(&direct, fd, -1), 0);
	cr_assert_eq(parser_open_table(parser, fd, -1, &table), 0);
	for (uint64_t offset = 0x1000; offset < 0x1200; offset++) {
		cr_assert_eq(parser_find_rule(parser, &table, offset, PARSER_RULE_IN_CALL, &rule), 0);
		own = unwind_table_find_offset(direct, offset, true);
		if (own.kind == SCALER_UNWIND_CANNOT && own.cfa_offset <= SCALER_UNWIND_NOT_COVERED)
			own = unwind_table_frame_pointer(direct, offset);
		cr_expect_arr_eq(&rule, &own, sizeof(rule), "%lx", (unsigned long)offset);
	}
	cr_assert_eq(parser_read_code(parser, &table, 0x1001, &word), 0);
	cr_assert(unwind_table_read(direct, 0x1001, &own_word));
	cr_expect_eq(word, own_word);
	cr_expect_eq(parser_read_code(parser, &table, 1 << 30, &word), -ENODATA);
	unwind_table_close(direct);
	close(fd);
}

/* Only the latest are kept, and a question about another is refused. */
Test(parser, many_tables)
{
	int fd = open_file(FRAMES "/eh_frame.so");
	struct scaler_unwind_rule rule;
	struct parser_table first, table;

	cr_assert_eq(parser_open_table(parser, fd, -1, &first), 0);
	for (int i = 0; i < 1000; i++) {
		cr_assert_eq(parser_open_table(parser, fd, -1, &table), 0);
		cr_assert_eq(parser_find_rule(parser, &table, 0x1000, PARSER_RULE_IN_CALL, &rule), 0);
	}
	cr_expect_eq(parser_find_rule(parser, &first, 0x1000, PARSER_RULE_IN_CALL, &rule), -ESTALE);
	table.number++;
	cr_expect_eq(parser_find_rule(parser, &table, 0x1000, PARSER_RULE_IN_CALL, &rule), -ESTALE);
	table.number = UINT64_MAX;
	cr_expect_eq(parser_find_rule(parser, &table, 0x1000, PARSER_RULE_IN_CALL, &rule), -ESTALE);
	table.generation++;
	cr_expect_eq(parser_find_rule(parser, &table, 0x1000, PARSER_RULE_IN_CALL, &rule), -ESTALE);
	close(fd);
}

Test(parser, places)
{
	int fd = open_file(LIBRARY);
	struct symbol_place own, told[64];
	struct symbols symbols;
	uint64_t offsets[64];
	bool has_functions;

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		offsets[i] = 0x1000 + 13 * i;
	cr_assert_eq(symbols_read(&symbols, fd, -1), 0);
	cr_assert_eq(parser_name_places(parser, fd, -1, offsets, ARRAY_SIZE(offsets), told, &has_functions),
		     0);
	cr_expect(has_functions);
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		cr_assert_eq(symbol_place_find(&symbols, offsets[i], &own), 0);
		cr_expect_eq(own.address, told[i].address);
		cr_expect_str_eq(own.name ?: "-", told[i].name ?: "-");
		free(own.name);
		free(told[i].name);
	}
	symbols_clear(&symbols);
	close(fd);
}

Test(parser, generated_code)
{
	static const uint64_t addresses[] = { 0x1000, 0x1800, 0x3000 };
	int fd = open_text("1000 1000 a b\n1800 1 c\0d\n");
	char *names[ARRAY_SIZE(addresses)];

	cr_assert_eq(parser_name_generated(parser, fd, addresses, ARRAY_SIZE(addresses), names), 0);
	cr_expect_str_eq(names[0], "a b");
	cr_expect_null(names[2]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		free(names[i]);
	close(fd);
}

Test(parser, mangled_names)
{
	static const char *const names[] = { "_ZN3foo3barEv", "plain", "_Z", "", "_RNvC6_123foo3bar" };
	char *readable[ARRAY_SIZE(names)];

	cr_assert_eq(parser_demangle(parser, names, ARRAY_SIZE(names), readable), 0);
	cr_expect_str_eq(readable[0], "foo::bar");
	for (size_t i = 1; i < 4; i++)
		cr_expect_null(readable[i]);
	cr_expect_not_null(readable[4]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		free(readable[i]);
}

Test(parser, beginnings_ends_and_targets)
{
	int fd = open_file(EXITS);
	struct probe_entries *direct = probe_entries_open(fd);
	struct code_exits own, *exits;
	struct probe_entry entry, *entries;
	struct code_flow *flow;
	struct linkage linkage;
	uint64_t *addresses;
	char **names;
	size_t found;

	cr_assert_eq(linkage_read(&linkage, fd), 0);
	cr_assert_gt(linkage.export_count, 3);
	addresses = calloc(linkage.export_count, sizeof(*addresses));
	exits = calloc(linkage.export_count, sizeof(*exits));
	entries = calloc(linkage.export_count, sizeof(*entries));
	names = calloc(linkage.export_count, sizeof(*names));
	for (size_t i = 0; i < linkage.export_count; i++)
		addresses[i] = linkage.exports[i].address;
	cr_assert_eq(
		parser_find_exits(parser, fd, addresses, linkage.export_count, UINT64_MAX / 2, exits, &found),
		0);
	cr_expect_eq(found, linkage.export_count);
	cr_assert_eq(parser_find_entries(parser, fd, addresses, linkage.export_count, entries), 0);
	cr_assert_eq(parser_find_targets(parser, fd, addresses, linkage.export_count, names), 0);
	cr_assert_eq(code_flow_open(&flow, &linkage, fd), 0);
	for (size_t i = 0; i < found; i++) {
		cr_assert_eq(code_exits_find(flow, addresses[i], &own), 0);
		cr_expect_eq(own.count, exits[i].count);
		cr_expect_eq(own.jumps_on, exits[i].jumps_on);
		cr_expect(!own.count || !memcmp(own.items, exits[i].items, own.count * sizeof(own.items[0])));
		entry = probe_entries_find(direct, addresses[i]);
		cr_expect_eq(entry.fault, entries[i].fault);
		cr_expect_eq(entry.kind, entries[i].kind);
		cr_expect_eq(entry.skipped, entries[i].skipped);
		free(names[i]);
	}
	/* Within no time one is looked at, so that all are in the end. */
	cr_assert_eq(parser_find_exits(parser, fd, addresses, linkage.export_count, 0, exits, &found), 0);
	cr_expect_eq(found, 1);
	code_flow_close(flow);
	probe_entries_close(direct);
	linkage_clear(&linkage);
	free(addresses);
	free(exits);
	free(entries);
	free(names);
	close(fd);
}
