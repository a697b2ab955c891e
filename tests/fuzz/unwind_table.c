// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwind tables that lie. An input is a list of changes to the file that the unit tests read, so that most
 * inputs are still nearly such a file: two bytes of place, one of value. Half of the places are in .eh_frame.
 */
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/symbols.h"
#include "target/unwind_table.h"

#define FILE_LIMIT 65536

static uint8_t original[FILE_LIMIT], changed[FILE_LIMIT];
static size_t file_size, frames_at, frames_size;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void find_frames(void)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)original;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(original + header->e_shoff);
	const char *names = (const char *)original + sections[header->e_shstrndx].sh_offset;

	for (int i = 0; i < header->e_shnum; i++) {
		if (strcmp(names + sections[i].sh_name, ".eh_frame"))
			continue;
		frames_at = sections[i].sh_offset;
		frames_size = sections[i].sh_size;
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int fd = open(FRAMES "/eh_frame.so", O_RDONLY);
	ssize_t size = read(fd, original, sizeof(original));

	(void)argc;
	(void)argv;
	close(fd);
	if (size <= (ssize_t)sizeof(Elf64_Ehdr) || size == sizeof(original))
		abort();
	file_size = (size_t)size;
	find_frames();
	if (!frames_size)
		abort();
	return 0;
}

static void change(const uint8_t *data, size_t size)
{
	memcpy(changed, original, file_size);
	for (; size >= 3; data += 3, size -= 3) {
		size_t place = (size_t)(data[0] & 0x7f) << 8 | data[1];

		if (data[0] & 0x80)
			changed[frames_at + place % frames_size] = data[2];
		else
			changed[place % file_size] = data[2];
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("changed", MFD_CLOEXEC);
	struct unwind_table *table;
	struct symbols symbols;

	change(data, size);
	if (fd < 0 || write(fd, changed, file_size) != (ssize_t)file_size)
		abort();
	if (!unwind_table_open(&table, fd, "changed")) {
		for (uint64_t address = 0x1000; address < 0x1100; address += 3) {
			struct scaler_unwind_rule rule = unwind_table_find(table, address);

			if (rule.kind == SCALER_UNWIND_UNKNOWN || rule.kind >= SCALER_UNWIND_KINDS)
				abort();
		}
		unwind_table_close(table);
	}
	symbols_read(&symbols, fd, "changed", NULL);
	symbols_clear(&symbols);
	close(fd);
	return 0;
}
