// SPDX-License-Identifier: GPL-2.0-only
/* Unwind tables that lie; half of the changes are in .eh_frame. */
#include <elf.h>

#include "changed_file.h"
#include "elf/symbols.h"
#include "elf/unwind_table.h"

static void find_frames(void)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file.original;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(file.original + header->e_shoff);
	const char *names = (const char *)file.original + sections[header->e_shstrndx].sh_offset;

	for (int i = 0; i < header->e_shnum; i++) {
		if (strcmp(names + sections[i].sh_name, ".eh_frame"))
			continue;
		file.part_at = sections[i].sh_offset;
		file.part_size = sections[i].sh_size;
	}
}

static void prepare(void)
{
	changed_file_read(&file, FRAMES "/eh_frame.so");
	find_frames();
	if (!file.part_size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = changed_file_open(&file, data, size);
	struct unwind_table *table;
	struct symbols symbols;

	if (!unwind_table_open(&table, fd, -1)) {
		for (uint64_t address = 0x1000; address < 0x1100; address += 3) {
			struct scaler_unwind_rule rule = unwind_table_find(table, address);

			if (rule.kind == SCALER_UNWIND_UNKNOWN || rule.kind >= SCALER_UNWIND_KINDS)
				abort();
			unwind_table_frame_pointer(table, address);
		}
		unwind_table_close(table);
	}
	symbols_read(&symbols, fd, -1);
	symbols_clear(&symbols);
	close(fd);
	return 0;
}
