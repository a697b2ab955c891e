// SPDX-License-Identifier: GPL-2.0-only
/* From places in an ELF file to the addresses that its tables speak of. */
#include "elf/elf_segments.h"

#include <errno.h>
#include <stdlib.h>

int elf_segments_read(struct elf_segments *segments, const struct elf_file *file)
{
	*segments =
		(struct elf_segments){ .items = calloc(file->segment_count + 1, sizeof(*segments->items)) };
	if (!segments->items)
		return -ENOMEM;
	for (size_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *header = &file->segments[i];

		if (header->p_type != PT_LOAD)
			continue;
		segments->items[segments->count++] = (struct elf_segment){
			.offset = header->p_offset,
			.size = header->p_filesz,
			.memory_size = header->p_memsz,
			.address = header->p_vaddr,
			.executable = header->p_flags & PF_X,
			.writable = header->p_flags & PF_W,
		};
	}
	return 0;
}

void elf_segments_clear(struct elf_segments *segments)
{
	free(segments->items);
	*segments = (struct elf_segments){ 0 };
}

bool elf_segments_address(const struct elf_segments *segments, uint64_t file_offset, uint64_t *address)
{
	for (size_t i = 0; i < segments->count; i++) {
		const struct elf_segment *segment = &segments->items[i];

		if (file_offset >= segment->offset && file_offset - segment->offset < segment->size) {
			*address = segment->address + (file_offset - segment->offset);
			return true;
		}
	}
	return false;
}

bool elf_segments_variable(const struct elf_segments *segments, uint64_t file_offset, uint64_t *address)
{
	for (size_t i = 0; i < segments->count; i++) {
		const struct elf_segment *segment = &segments->items[i];

		if (segment->writable && file_offset >= segment->offset &&
		    file_offset - segment->offset < segment->memory_size) {
			*address = segment->address + (file_offset - segment->offset);
			return true;
		}
	}
	return false;
}

const struct elf_segment *elf_segments_find(const struct elf_segments *segments, uint64_t address)
{
	for (size_t i = 0; i < segments->count; i++) {
		const struct elf_segment *segment = &segments->items[i];

		if (address >= segment->address && address - segment->address < segment->size)
			return segment;
	}
	return NULL;
}
