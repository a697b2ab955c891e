// SPDX-License-Identifier: GPL-2.0-only
/* Symbols and what stands for them, of this very program, of libraries and of files that lie. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/demangle.h"
#include "elf/symbols.h"
#include "target/component.h"
#include "target/process_maps.h"

/* In this program, with a symbol of its own. */
__attribute__((noinline)) int symbols_test_function(int value)
{
	return value * 3 + 1;
}

char symbols_test_zeros[1 << 20];
char symbols_test_values[8] = "values";

/* By where it is in memory: so far behind the mapping that has a file, even if it lies beyond that. */
static void expect_variable(const struct symbols *symbols, const char *name, const char *within,
			    uint64_t into)
{
	const struct symbol *variable = NULL;
	uint64_t address = 0, offset = 0, best = 0;
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (fgets(line, sizeof(line), maps)) {
		uint64_t start, file_offset, inode;

		if (sscanf(line, "%" SCNx64 "-%*x rw-p %" SCNx64 " %*s %" SCNu64, &start, &file_offset,
			   &inode) == 3 &&
		    inode && start <= (uintptr_t)within && start > best) {
			best = start;
			offset = file_offset + ((uintptr_t)within - start);
		}
	}
	fclose(maps);
	cr_assert(elf_segments_variable(&symbols->segments, offset, &address), "%s", name);
	variable = symbols_find_variable(symbols, address);
	cr_assert(variable, "%s", name);
	cr_expect_str_eq(variable->name, name);
	cr_expect_eq(address - variable->address, into);
}

Test(symbols, of_this_program)
{
	struct symbols symbols;
	const struct symbol *function = NULL;
	int fd = open("/proc/self/exe", O_RDONLY);
	uint64_t address;

	cr_assert_eq(symbols_read(&symbols, fd, -1), 0);
	for (size_t i = 0; i < symbols.functions.count; i++) {
		if (!strcmp(symbols.functions.items[i].name, "symbols_test_function"))
			function = &symbols.functions.items[i];
		cr_assert(!i || symbols.functions.items[i - 1].address < symbols.functions.items[i].address);
	}
	cr_assert(function);
	cr_expect_eq(symbols_find(&symbols, function->address), function);
	cr_expect_eq(symbols_find(&symbols, function->address + function->size - 1), function);
	cr_expect_neq(symbols_find(&symbols, function->address + function->size), function);
	cr_expect_eq(symbols_find(&symbols, 0), NULL);
	cr_expect(!elf_segments_address(&symbols.segments, 1ULL << 40, &address));
	cr_expect(!elf_segments_variable(&symbols.segments, 1ULL << 40, &address));
	expect_variable(&symbols, "symbols_test_zeros", &symbols_test_zeros[3], 3);
	expect_variable(&symbols, "symbols_test_values", &symbols_test_values[7], 7);
	symbols_clear(&symbols);
	close(fd);
}

/* The names that people use, not the aliases that libraries have beside them. */
Test(symbols, of_libc)
{
	static const char *const names[] = { "read", "write", "poll", "execve", "epoll_wait", "openat" };
	struct process_maps maps;
	const struct process_mapping *libc;
	struct symbols symbols;
	int fd;

	cr_assert_eq(process_maps_read(&maps, getpid()), 0);
	libc = process_maps_find(&maps, (uint64_t)getpagesize);
	cr_assert(libc);
	fd = component_open(&libc->component);
	cr_assert_geq(fd, 0);
	cr_assert_eq(symbols_read(&symbols, fd, -1), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bool found = false;

		for (size_t j = 0; j < symbols.functions.count; j++)
			found |= !strcmp(symbols.functions.items[j].name, names[i]);
		cr_expect(found, "%s has another name", names[i]);
	}
	symbols_clear(&symbols);
	process_maps_clear(&maps);
	close(fd);
}

static int read_bytes(const unsigned char *bytes, size_t size)
{
	int fd = memfd_create("lying", MFD_CLOEXEC), err;
	struct symbols symbols;
	uint64_t address;

	cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
	err = symbols_read(&symbols, fd, -1);
	for (uint64_t offset = 0; offset < 2 * size; offset += 512) {
		if (elf_segments_address(&symbols.segments, offset, &address))
			symbols_find_caller(&symbols, address);
	}
	symbols_clear(&symbols);
	close(fd);
	return err;
}

/* Cut at every size and with bytes changed at random: no crash, whatever is found. */
Test(symbols, lying_files)
{
	static unsigned char bytes[1 << 16], broken[1 << 16];
	int fd = open(LIBRARY, O_RDONLY);
	ssize_t size = read(fd, bytes, sizeof(bytes));

	cr_assert(size > 1000 && size < (ssize_t)sizeof(bytes), "%s", LIBRARY);
	close(fd);
	cr_assert_eq(read_bytes(bytes, (size_t)size), 0);
	cr_expect_eq(read_bytes((const unsigned char *)"text", 4), -ENOEXEC);
	cr_expect_eq(read_bytes(bytes, 0), -ENOEXEC);
	for (size_t length = 1; length < (size_t)size; length += 61)
		read_bytes(bytes, length);
	srand(1);
	for (int round = 0; round < 4000; round++) {
		memcpy(broken, bytes, (size_t)size);
		/* Half of the changes in the headers, where they do the most harm. */
		for (int i = 0; i < 8; i++)
			broken[rand() % (i % 2 ? size : 1024)] = (unsigned char)rand();
		read_bytes(broken, (size_t)size);
	}
}

static void read_file(struct symbols *symbols, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	cr_assert_eq(symbols_read(symbols, fd, -1), 0, "%s", path);
	close(fd);
}

/* The ranges that readelf prints, every one and no other. */
static void expect_ranges(const char *path, size_t at_least)
{
	char command[256], line[512];
	struct symbol_range range;
	struct symbols symbols;
	size_t count = 0;
	FILE *readelf;

	read_file(&symbols, path);
	snprintf(command, sizeof(command), "readelf --debug-dump=frames %s 2>&1", path);
	readelf = popen(command, "re");
	cr_assert_not_null(readelf);
	while (fgets(line, sizeof(line), readelf)) {
		const char *text = strstr(line, " FDE ") ? strstr(line, " pc=") : NULL;
		uint64_t start, end;

		if (!text || sscanf(text, " pc=%" SCNx64 "..%" SCNx64, &start, &end) != 2)
			continue;
		count++;
		cr_assert(symbols_find_range(&symbols, end - 1, &range), "%s: %s", path, text);
		cr_assert(range.start == start && range.size == end - start, "%s: %s", path, text);
	}
	pclose(readelf);
	cr_expect_eq(symbols.frames.count, count, "%s: %zu ranges, %zu", path, symbols.frames.count, count);
	cr_expect_gt(count, at_least);
	cr_expect(!symbols_find_range(&symbols, 0, &range));
	cr_expect(!symbols_find_range(&symbols, UINT64_MAX, &range));
	symbols_clear(&symbols);
}

Test(symbols, same_ranges_as_binutils)
{
	expect_ranges("/lib/x86_64-linux-gnu/libc.so.6", 2000);
	expect_ranges("/lib/x86_64-linux-gnu/libstdc++.so.6", 2000);
	expect_ranges("/usr/bin/python3", 2000);
	expect_ranges(FRAMES "/eh_frame.so", 10);
}

static uint64_t address_of(const struct symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->functions.count; i++) {
		if (!strcmp(symbols->functions.items[i].name, name))
			return symbols->functions.items[i].address;
	}
	cr_assert_fail("%s", name);
	return 0;
}

/* The byte before a signal's trampoline is part of its description; that before a function is another's. */
Test(symbols, callers)
{
	struct symbols symbols;
	uint64_t signal_frame, uncovered;

	read_file(&symbols, FRAMES "/eh_frame.so");
	signal_frame = address_of(&symbols, "signal_frame");
	uncovered = address_of(&symbols, "uncovered");
	cr_expect_null(symbols_find(&symbols, signal_frame - 1));
	cr_assert(symbols_find_caller(&symbols, signal_frame - 1));
	cr_expect_str_eq(symbols_find_caller(&symbols, signal_frame - 1)->name, "signal_frame");
	cr_expect_str_eq(symbols_find_caller(&symbols, signal_frame - 2)->name, "outermost");
	cr_expect_str_eq(symbols_find_caller(&symbols, uncovered - 1)->name, "signal_frame");
	symbols_clear(&symbols);
}

Test(symbols, demangling)
{
	static const char *const names[][2] = {
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back" },
		{ "_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo" },
		{ "_ZN3foo3barEv.cold", "foo::bar" },
		{ "_ZN4core3fmt9Formatter9write_fmt17h0123456789abcdefE", "core::fmt::Formatter::write_fmt" },
		{ "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
		{ "_Z", NULL },
		{ "_Znonsense", NULL },
		{ "_init", NULL },
		{ "__libc_start_main", NULL },
		{ "read", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *name = demangle(names[i][0]);

		cr_expect(names[i][1] ? name && !strcmp(name, names[i][1]) : !name, "%s: %s", names[i][0],
			  name);
		free(name);
	}
}

/* A name of which each part is twice the one before it. */
Test(symbols, demangling_ends, .timeout = 20)
{
	char mangled[2048] = "_Z1fISt4pairIiiE";
	size_t length = strlen(mangled);

	for (int i = 0; i < 60; i++) {
		char number[4] = { "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 36], 0 };

		if (i >= 36)
			snprintf(number, sizeof(number), "1%c",
				 "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i - 36]);
		length += (size_t)snprintf(mangled + length, sizeof(mangled) - length, "St4pairIS%s_S%s_E",
					   number, number);
	}
	snprintf(mangled + length, sizeof(mangled) - length, "Evv");
	cr_expect_null(demangle(mangled));
}
