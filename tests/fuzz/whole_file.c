// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that are wrong as a whole: numbers that have been set, parts that are elsewhere, ends that are missing, holes that go
 * on for gigabytes. All that reads ELF files reads them, within what the fuzzer may have of memory and time.
 * An input is the number of a file and changes to it, of ten bytes each.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "code/call_targets.h"
#include "code/code_exits.h"
#include "code/probe_entry.h"
#include "elf/function_ranges.h"
#include "elf/symbols.h"
#include "elf/unwind_table.h"
#include "target/component.h"

#define SIZE_MAX_OF_ORIGINALS 65536
#define CHANGE_SIZE           10
#define COPIED                64
#define LOOKED_AT             32  /* exports, symbols */
#define ADDRESSES             128 /* by the byte, from the lowest that has code */

static const char *const paths[] = {
	FRAMES "/eh_frame.so",
	FRAMES "/debug_frame.so",
	FRAMES "/packed_frame.so",
	FRAMES "/old_packed_frame.so",
	FRAMES "/no_frame.so",
	EXITS,
	LIBRARY,
};

struct contents {
	uint8_t bytes[SIZE_MAX_OF_ORIGINALS];
	size_t size;
	uint64_t file_size; /* it may be longer, by a hole, or shorter */
};

static struct contents originals[ARRAY_SIZE(paths)];

enum change_kind {
	CHANGE_BYTE,
	CHANGE_WORD,   /* of four bytes, as an ELF file has them */
	CHANGE_NUMBER, /* of eight */
	CHANGE_COPY,
	CHANGE_END,
	CHANGE_HOLE,
	CHANGE_KINDS,
};

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct contents *original = &originals[i];
		int fd = open(paths[i], O_RDONLY);
		ssize_t size = read(fd, original->bytes, sizeof(original->bytes));

		close(fd);
		if (size < 1000 || size == sizeof(original->bytes))
			abort();
		original->size = (size_t)size;
		original->file_size = (uint64_t)size;
	}
	return 0;
}

/* Of a file's bytes, so that as many can be changed from there on. */
static uint8_t *at(struct contents *contents, const uint8_t *place, size_t length)
{
	uint16_t number;

	memcpy(&number, place, sizeof(number));
	return contents->bytes + number % (contents->size - length);
}

static void change(struct contents *contents, const uint8_t bytes[CHANGE_SIZE])
{
	/* One byte for the kind, two for the place, and one that says how much is meant. */
	const uint8_t *place = bytes + 1, *value = bytes + 4;
	uint64_t number = 0;

	memcpy(&number, value, CHANGE_SIZE - 4);
	number <<= bytes[3] % 17;
	switch ((enum change_kind)(bytes[0] % CHANGE_KINDS)) {
	case CHANGE_BYTE:
		*at(contents, place, 1) = *value;
		break;
	case CHANGE_WORD:
		memcpy(at(contents, place, 4), &number, 4);
		break;
	case CHANGE_NUMBER:
		memcpy(at(contents, place, 8), &number, 8);
		break;
	case CHANGE_COPY:
		memmove(at(contents, place, COPIED), at(contents, value, COPIED), COPIED);
		break;
	case CHANGE_END:
		contents->file_size = number % (contents->size + 1);
		break;
	case CHANGE_HOLE:
		contents->file_size = contents->size + (number & (UINT64_C(1) << 40) - 1);
		break;
	case CHANGE_KINDS:
		break;
	}
}

static int open_changed(const uint8_t *data, size_t size)
{
	static struct contents changed;
	int fd = memfd_create("changed", MFD_CLOEXEC);

	changed = originals[*data % ARRAY_SIZE(paths)];
	for (data++, size--; size >= CHANGE_SIZE; data += CHANGE_SIZE, size -= CHANGE_SIZE)
		change(&changed, data);
	if (fd < 0 || write(fd, changed.bytes, changed.size) != (ssize_t)changed.size ||
	    ftruncate(fd, (off_t)changed.file_size))
		abort();
	return fd;
}

static void find_code(const struct linkage *linkage, int fd)
{
	struct probe_entries *entries = probe_entries_open(fd);
	struct call_targets *targets = NULL;
	struct code_flow *flow = NULL;

	if (!code_flow_open(&flow, linkage, fd)) {
		for (size_t i = 0; i < linkage->export_count && i < LOOKED_AT; i++) {
			struct code_exits exits;

			if (code_exits_find(flow, linkage->exports[i].address, &exits) ||
			    exits.count > CODE_EXITS_MAX)
				abort();
		}
	}
	code_flow_close(flow);
	if (!call_targets_open(&targets, linkage, fd)) {
		for (size_t i = 0; i < linkage->segments.count && i < LOOKED_AT; i++) {
			for (uint64_t byte = 0; byte < ADDRESSES; byte++)
				call_targets_find(targets, linkage->segments.items[i].offset + byte);
		}
		call_targets_close(targets);
	}
	for (size_t i = 0; entries && i < linkage->export_count && i < LOOKED_AT; i++)
		probe_entries_find(entries, linkage->exports[i].address);
	probe_entries_close(entries);
}

static void find_rules(const struct linkage *linkage, int fd)
{
	uint64_t first = linkage->segments.count ? linkage->segments.items[0].address : 0x1000;
	struct unwind_table *table;

	if (unwind_table_open(&table, fd, -1))
		return;
	for (uint64_t address = first; address < first + ADDRESSES; address++) {
		struct scaler_unwind_rule rule = unwind_table_find(table, address);

		if (rule.kind == SCALER_UNWIND_UNKNOWN || rule.kind >= SCALER_UNWIND_KINDS)
			abort();
		unwind_table_frame_pointer(table, address);
	}
	unwind_table_close(table);
}

static void find_names(const struct linkage *linkage, int fd)
{
	struct symbols symbols;

	if (!symbols_read(&symbols, fd, -1)) {
		for (size_t i = 0; i < symbols.functions.count && i < LOOKED_AT; i++) {
			const struct symbol *symbol = &symbols.functions.items[i];
			struct symbol_range range;

			free(symbol_name(symbol));
			symbols_find_caller(&symbols, symbol->address + 1);
			symbols_find_range(&symbols, symbol->address, &range);
		}
		for (size_t i = 0; i < linkage->export_count && i < LOOKED_AT; i++)
			symbols_find(&symbols, linkage->exports[i].address);
	}
	symbols_clear(&symbols);
}

static void find_ranges(const struct linkage *linkage, int fd)
{
	struct function_ranges ranges = { 0 };
	struct elf_file file;

	if (!elf_file_open(&file, fd)) {
		if (!function_ranges_read(&ranges, &file)) {
			for (size_t i = 0; i < linkage->export_count && i < LOOKED_AT; i++)
				function_ranges_find(&ranges, &file, linkage->exports[i].address);
		}
		function_ranges_clear(&ranges);
	}
	elf_file_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct linkage linkage;
	int fd;

	if (!size)
		return 0;
	fd = open_changed(data, size);
	linkage_read(&linkage, fd);
	find_code(&linkage, fd);
	find_rules(&linkage, fd);
	find_names(&linkage, fd);
	find_ranges(&linkage, fd);
	linkage_clear(&linkage);
	close(fd);
	return 0;
}
