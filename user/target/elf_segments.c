// SPDX-License-Identifier: GPL-2.0-only
/* From places in an ELF file to the addresses that its tables speak of. */
#include "target/elf_segments.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>

#include "base/array.h"

int elf_segments_read(struct elf_segments *segments, Elf *elf)
{
	size_t count;

	*segments = (struct elf_segments){ 0 };
	if (elf_getphdrnum(elf, &count))
		return 0;
	for (size_t i = 0; i < count; i++) {
		struct elf_segment *items;
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		items = array_reserve(segments->items, segments->count, &segments->capacity, sizeof(*items));
		if (!items)
			return -ENOMEM;
		segments->items = items;
		items[segments->count++] = (struct elf_segment){
			.offset = header.p_offset,
			.size = header.p_filesz,
			.memory_size = header.p_memsz,
			.address = header.p_vaddr,
			.executable = header.p_flags & PF_X,
			.writable = header.p_flags & PF_W,
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

const void *elf_segments_read_at(const struct elf_segments *segments, Elf *elf, uint64_t address,
				 Elf_Type type, size_t *size)
{
	const struct elf_segment *segment = elf_segments_find(segments, address);
	uint64_t into = segment ? address - segment->address : 0;
	Elf_Data *data;

	if (!segment || !*size)
		return NULL;
	if (*size > segment->size - into)
		*size = segment->size - into;
	data = elf_getdata_rawchunk(elf, (int64_t)(segment->offset + into), *size, type);
	return data ? data->d_buf : NULL;
}
