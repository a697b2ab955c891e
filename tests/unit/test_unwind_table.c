// SPDX-License-Identifier: GPL-2.0-only
/* Unwind rules: of files made for it, and of real ones beside what binutils reads in them. */
#include <criterion/criterion.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "elf/symbols.h"
#include "elf/unwind_table.h"

static struct unwind_table *open_table(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct unwind_table *table;

	cr_assert_geq(fd, 0, "%s", path);
	cr_assert_eq(unwind_table_open(&table, fd, -1), 0, "%s", path);
	close(fd);
	return table;
}

#define CANNOT(problem)                                                                                      \
	{                                                                                                    \
		SCALER_UNWIND_CANNOT, 0, 0, 0, SCALER_UNWIND_##problem                                       \
	}

static const struct {
	const char *function;
	struct scaler_unwind_rule rule;
} expected_rules[] = {
	{ "entry", { SCALER_UNWIND_OUTERMOST, 0, 0, 0, 0 } },
	{ "rsp_8", { SCALER_UNWIND_RSP, 0, 0, 0, 8 } },
	{ "rsp_far", { SCALER_UNWIND_RSP, 0, 0, 0, 0x100000 } },
	{ "saved", { SCALER_UNWIND_RSP, 0, 2, 3, 32 } },
	{ "saved_far", { SCALER_UNWIND_RSP, 0, 253, SCALER_UNWIND_LOST, 8 } },
	{ "saved_above", { SCALER_UNWIND_RSP, 0, SCALER_UNWIND_LOST, SCALER_UNWIND_LOST, 8 } },
	{ "rbp_16", { SCALER_UNWIND_RBP, 0, 2, 0, 16 } },
	{ "rbx_32", { SCALER_UNWIND_RBX, 0, 0, 0, 32 } },
	{ "rsp_below", { SCALER_UNWIND_RSP, 0, 0, 0, -8 } },
	{ "register_r10", CANNOT(REGISTER) },
	{ "register_far", CANNOT(REGISTER) },
	{ "saved_register_far", { SCALER_UNWIND_RSP, 0, 0, 0, 8 } },
	{ "saved_extended", { SCALER_UNWIND_RSP, 0, 2, 3, 8 } },
	{ "saved_negative", { SCALER_UNWIND_RSP, 0, SCALER_UNWIND_LOST, SCALER_UNWIND_LOST, 8 } },
	{ "restored", { SCALER_UNWIND_RSP, 0, 0, 0, 8 } },
	{ "recalled", { SCALER_UNWIND_RSP, 0, 0, 0, 8 } },
	{ "recalled_nothing", CANNOT(BAD_TABLE) },
	{ "realigned", { SCALER_UNWIND_RBP_LOAD, 0, SCALER_UNWIND_AT_RBP, SCALER_UNWIND_LOST, -8 } },
	{ "loaded_8", { SCALER_UNWIND_RSP_LOAD, 1, 0, 0, 0x58 } },
	{ "loaded_4", CANNOT(EXPRESSION) },
	{ "loaded_twice", CANNOT(EXPRESSION) },
	{ "linkage", { SCALER_UNWIND_RSP, 0, 0, 0, 8 } },
	{ "expression_underflow", CANNOT(EXPRESSION) },
	{ "expression_unknown", CANNOT(EXPRESSION) },
	{ "return_address_elsewhere", CANNOT(EXPRESSION) },
	{ "return_in_rdi", { SCALER_UNWIND_RETURN_IN_RDI, 0, 0, 0, 0 } },
	{ "return_in_rsi", CANNOT(EXPRESSION) },
	{ "outermost", { SCALER_UNWIND_OUTERMOST, 0, 0, 0, 0 } },
	{ "signal_frame", { SCALER_UNWIND_SIGNAL, 0, 0, 0, 0 } },
	{ "uncovered", CANNOT(NOT_COVERED) },
};
#define RULE_COUNT (sizeof(expected_rules) / sizeof(*expected_rules))

static bool is_same(const struct scaler_unwind_rule *a, const struct scaler_unwind_rule *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static uint64_t address_of(const struct symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->functions.count; i++) {
		if (!strcmp(symbols->functions.items[i].name, name))
			return symbols->functions.items[i].address;
	}
	cr_assert_fail("no function %s", name);
	return 0;
}

static void read_symbols(struct symbols *symbols, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	cr_assert_eq(symbols_read(symbols, fd, -1), 0);
	close(fd);
}

/* Of the functions in the file at the path. */
static void expect_rules_of(struct unwind_table *table, const char *path)
{
	struct symbols symbols;

	read_symbols(&symbols, path);
	for (size_t i = 0; i < RULE_COUNT; i++) {
		const char *name = expected_rules[i].function;
		struct scaler_unwind_rule rule = unwind_table_find(table, address_of(&symbols, name) + 1);

		cr_expect(is_same(&rule, &expected_rules[i].rule),
			  "%s: kind %u offset %d added %u rbp %u rbx %u", name, rule.kind, rule.cfa_offset,
			  rule.added_words, rule.rbp, rule.rbx);
	}
	symbols_clear(&symbols);
}

static void expect_rules(const char *path)
{
	struct unwind_table *table = open_table(path);

	expect_rules_of(table, path);
	unwind_table_close(table);
}

Test(unwind_table, every_kind)
{
	expect_rules(FRAMES "/eh_frame.so");
}

Test(unwind_table, from_debug_frame)
{
	expect_rules(FRAMES "/debug_frame.so");
	expect_rules(FRAMES "/packed_frame.so");
	expect_rules(FRAMES "/old_packed_frame.so");
}

/* A copy of the file that says that it has no sections. */
static int open_without_sections(const char *path)
{
	static char bytes[65536];
	Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
	int original = open(path, O_RDONLY | O_CLOEXEC), fd = memfd_create("stripped", MFD_CLOEXEC);
	ssize_t size = read(original, bytes, sizeof(bytes));

	cr_assert_gt(size, (ssize_t)sizeof(*header));
	header->e_shoff = 0;
	header->e_shnum = 0;
	header->e_shstrndx = 0;
	cr_assert_eq(write(fd, bytes, (size_t)size), size);
	close(original);
	return fd;
}

Test(unwind_table, file_without_sections)
{
	const char *path = FRAMES "/eh_frame.so";
	int fd = open_without_sections(path);
	struct unwind_table *table;

	cr_assert_eq(unwind_table_open(&table, fd, -1), 0);
	expect_rules_of(table, path);
	unwind_table_close(table);
	close(fd);
}

/* From the entry's eleventh byte on it has pushed a word. */
Test(unwind_table, linkage_entry)
{
	const char *path = FRAMES "/eh_frame.so";
	struct unwind_table *table = open_table(path);
	struct symbols symbols;
	uint64_t address;

	read_symbols(&symbols, path);
	address = address_of(&symbols, "linkage");
	for (int byte = 0; byte < 16; byte++)
		cr_expect_eq(unwind_table_find(table, address + (uint64_t)byte).cfa_offset,
			     byte < 11 ? 8 : 16, "%d", byte);
	symbols_clear(&symbols);
	unwind_table_close(table);
}

Test(unwind_table, addresses_in_no_code)
{
	static const uint64_t addresses[] = { 0, 1, 1 << 20, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX };
	struct unwind_table *table = open_table(FRAMES "/eh_frame.so");
	struct scaler_unwind_rule expected = CANNOT(NOT_COVERED);

	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		struct scaler_unwind_rule rule = unwind_table_find(table, addresses[i]);

		cr_expect(is_same(&rule, &expected), "%#lx", addresses[i]);
	}
	unwind_table_close(table);
}

Test(unwind_table, files_without_rules)
{
	struct scaler_unwind_rule expected = CANNOT(NO_TABLE), rule;
	struct unwind_table *table = open_table(FRAMES "/no_frame.so");
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	rule = unwind_table_find(table, 0x1100);
	cr_expect(is_same(&rule, &expected));
	unwind_table_close(table);
	cr_expect_eq(unwind_table_open(&table, fd, -1), -ENOEXEC);
	cr_expect_null(table);
	close(fd);
}

/* One row as binutils prints it: its address, and what it says of the columns that rules are made of. */
struct row {
	uint64_t address;
	char cfa[16], rbp[16], rbx[16], ra[16];
};

struct columns {
	int rbp, rbx, ra; /* -1: not shown */
};

static void read_columns(struct columns *columns, char *line)
{
	char *rest = NULL, *word = strtok_r(line, " \n", &rest);

	*columns = (struct columns){ -1, -1, -1 };
	for (int i = 0; word; i++, word = strtok_r(NULL, " \n", &rest)) {
		if (!strcmp(word, "rbp"))
			columns->rbp = i;
		else if (!strcmp(word, "rbx"))
			columns->rbx = i;
		else if (!strcmp(word, "ra"))
			columns->ra = i;
	}
}

static void read_row(struct row *row, const struct columns *columns, char *line)
{
	char *rest = NULL, *word = strtok_r(line, " \n", &rest);

	*row = (struct row){ .rbp = "u", .rbx = "u", .ra = "u" };
	for (int i = 0; word; i++, word = strtok_r(NULL, " \n", &rest)) {
		char *cell = i == 1            ? row->cfa :
			     i == columns->rbp ? row->rbp :
			     i == columns->rbx ? row->rbx :
			     i == columns->ra  ? row->ra :
						 NULL;

		if (!i)
			row->address = strtoull(word, NULL, 16);
		else if (cell)
			snprintf(cell, sizeof(row->cfa), "%s", word);
	}
}

/* A register in another is printed as "r10 (r10)": one cell. */
static void join_register_names(char *line)
{
	for (char *name = strstr(line, " ("); name; name = strstr(name, " (")) {
		name[0] = '_';
		name[1] = '_';
	}
}

/* Whether a rule keeps a register as the row does: "u" not saved, "c-16" there, else some expression. */
static bool same_register(const char *cell, __u8 place)
{
	int below;

	if (!strcmp(cell, "u") || !strcmp(cell, "s"))
		return place == SCALER_UNWIND_KEPT;
	if (sscanf(cell, "c-%d", &below) == 1 && below <= 8 * SCALER_UNWIND_WORDS)
		return place == below / 8;
	return place == SCALER_UNWIND_LOST || place == SCALER_UNWIND_AT_RBP;
}

static bool same_cfa(const char *cell, const struct scaler_unwind_rule *rule)
{
	static const char *const registers[] = {
		[SCALER_UNWIND_RSP] = "rsp",
		[SCALER_UNWIND_RBP] = "rbp",
		[SCALER_UNWIND_RBX] = "rbx",
		[SCALER_UNWIND_RETURN_IN_RDI] = "rsp",
	};
	char text[32];

	if (!strcmp(cell, "exp"))
		return true;
	if (rule->kind >= ARRAY_SIZE(registers) || !registers[rule->kind])
		return false;
	snprintf(text, sizeof(text), "%s%+d", registers[rule->kind], rule->cfa_offset);
	return !strcmp(cell, text);
}

struct comparison {
	struct unwind_table *table;
	size_t rows, different;
	size_t kinds[SCALER_UNWIND_KINDS], problems[SCALER_UNWIND_PROBLEMS];
};

static void compare_row(struct comparison *comparison, const struct row *row)
{
	struct scaler_unwind_rule rule = unwind_table_find(comparison->table, row->address);
	bool is_same = same_cfa(row->cfa, &rule) && same_register(row->rbp, rule.rbp) &&
		       same_register(row->rbx, rule.rbx);

	comparison->rows++;
	comparison->kinds[rule.kind]++;
	if (rule.kind == SCALER_UNWIND_CANNOT)
		comparison->problems[rule.cfa_offset]++;
	if (rule.kind == SCALER_UNWIND_RETURN_IN_RDI)
		is_same &= !!strstr(row->ra, "rdi");
	else if (rule.kind == SCALER_UNWIND_OUTERMOST)
		is_same = !strcmp(row->ra, "u");
	else if (rule.kind == SCALER_UNWIND_SIGNAL)
		is_same = !strcmp(row->cfa, "exp") && !strcmp(row->ra, "exp");
	else if (rule.kind == SCALER_UNWIND_CANNOT)
		is_same = rule.cfa_offset == SCALER_UNWIND_EXPRESSION ||
			  rule.cfa_offset == SCALER_UNWIND_REGISTER;
	if (!is_same && !comparison->different++)
		cr_log_error("%#lx: CFA %s rbp %s rbx %s ra %s; kind %u offset %d rbp %u rbx %u",
			     row->address, row->cfa, row->rbp, row->rbx, row->ra, rule.kind, rule.cfa_offset,
			     rule.rbp, rule.rbx);
}

/* All rows of a file; those of its CIEs are of no code. */
static struct comparison compare_file(const char *path)
{
	struct comparison comparison = { .table = open_table(path) };
	struct columns columns = { -1, -1, -1 };
	bool is_code = false;
	char command[256], line[512];
	struct row row;
	FILE *readelf;

	snprintf(command, sizeof(command), "readelf --debug-dump=frames-interp %s 2>&1", path);
	readelf = popen(command, "re");
	cr_assert_not_null(readelf);
	while (fgets(line, sizeof(line), readelf)) {
		if (strstr(line, " FDE ") || strstr(line, " CIE "))
			is_code = strstr(line, " FDE ");
		else if (!strncmp(line, "   LOC", 6))
			read_columns(&columns, line);
		else if (is_code && strspn(line, "0123456789abcdef") == 16) {
			join_register_names(line);
			read_row(&row, &columns, line);
			compare_row(&comparison, &row);
		}
	}
	pclose(readelf);
	unwind_table_close(comparison.table);
	return comparison;
}

static void expect_same_rows(const char *path)
{
	struct comparison comparison = compare_file(path);

	cr_expect_gt(comparison.rows, 10000, "%s: %zu rows", path, comparison.rows);
	cr_expect_eq(comparison.different, 0, "%s: %zu of %zu rows differ", path, comparison.different,
		     comparison.rows);
	/* All but a few, and those with a reason. */
	cr_expect_leq(comparison.kinds[SCALER_UNWIND_CANNOT] * 1000, comparison.rows,
		      "%s: no rule for %zu rows", path, comparison.kinds[SCALER_UNWIND_CANNOT]);
	cr_expect_eq(comparison.kinds[SCALER_UNWIND_CANNOT],
		     comparison.problems[SCALER_UNWIND_EXPRESSION] +
			     comparison.problems[SCALER_UNWIND_REGISTER]);
}

Test(unwind_table, same_rows_as_binutils)
{
	expect_same_rows("/lib/x86_64-linux-gnu/libc.so.6");
	expect_same_rows("/lib/x86_64-linux-gnu/libstdc++.so.6");
	expect_same_rows("/usr/bin/python3");
}
