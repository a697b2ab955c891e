// SPDX-License-Identifier: GPL-2.0-only
/* Where the entries of .eh_frame and .debug_frame are. */
#include "elf/frame_table.h"

#include <dwarf.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "elf/elf_unpack.h"

#define TERMINATOR_SIZE 4 /* bytes of a length of 0: linkers may leave one between two objects' entries */

/* What is read of a file without a table of its descriptions. */
#define SECTION_MAX (64 << 20) /* bytes */
#define ITEMS_MAX   (2 << 20)

/*
 * How .eh_frame_hdr begins, in the one form that linkers write, and what follows: where .eh_frame is, from there;
 * how many entries there are; and those, of two words each: the code's start and the description, from the
 * table's address. 4 bytes each.
 */
static const unsigned char header_form[] = {
	1, /* version */
	DW_EH_PE_pcrel | DW_EH_PE_sdata4,
	DW_EH_PE_udata4,
	DW_EH_PE_datarel | DW_EH_PE_sdata4,
};
struct header {
	unsigned char form[sizeof(header_form)];
	int32_t section;
	uint32_t count;
};
#define HEADER_ITEM_SIZE 8

struct frame_bytes {
	unsigned char common[FRAME_COMMON_MAX];
	unsigned char description[FRAME_DESCRIPTION_MAX];
};

/* False: the section does not have them. */
static bool copy_bytes(const struct frame_table *table, struct elf_file *file, uint64_t at, void *bytes,
		       size_t size)
{
	if (at > table->size || table->size - at < size)
		return false;
	if (!table->unpacked.bytes)
		return elf_file_copy(file, table->offset + at, bytes, size);
	memcpy(bytes, table->unpacked.bytes + at, size);
	return true;
}

static bool read_header(const struct frame_table *table, struct elf_file *file, uint64_t at,
			struct frame_entry_header *header)
{
	unsigned char bytes[FRAME_HEADER_SIZE];
	size_t size = sizeof(bytes);

	if (at > table->size)
		return false;
	if (size > table->size - at)
		size = table->size - at;
	return copy_bytes(table, file, at, bytes, size) &&
	       frame_entry_read_header(header, table->is_eh_frame, at,
				       (struct dwarf_bytes){ .at = bytes, .end = bytes + size });
}

/* What is behind an entry's header, into a buffer of that size. */
static bool read_body(const struct frame_table *table, struct elf_file *file,
		      const struct frame_entry_header *header, unsigned char *buffer, size_t most,
		      struct dwarf_bytes *body)
{
	uint64_t size = header->end - header->body;

	*body = (struct dwarf_bytes){ .at = buffer, .end = buffer + size };
	return size <= most && copy_bytes(table, file, header->body, buffer, size);
}

/* Most descriptions have the CIE of the one before. */
static bool read_common(struct frame_table *table, struct elf_file *file, uint64_t at)
{
	struct frame_entry_header header;
	struct dwarf_bytes body;

	if (table->common_at == at)
		return true;
	table->common_at = UINT64_MAX;
	if (!read_header(table, file, at, &header) || !header.is_common ||
	    !read_body(table, file, &header, table->bytes->common, sizeof(table->bytes->common), &body) ||
	    !frame_entry_read_common(&table->common, body))
		return false;
	table->common_at = at;
	return true;
}

static bool read_description(struct frame_table *table, struct elf_file *file,
			     const struct frame_entry_header *header, struct frame_description *description)
{
	struct dwarf_bytes body;

	return read_common(table, file, header->common) &&
	       read_body(table, file, header, table->bytes->description, sizeof(table->bytes->description),
			 &body) &&
	       frame_entry_read_description(description, &table->common, body, table->address + header->body);
}

static int use_section(struct frame_table *table, struct elf_file *file, const Elf64_Shdr *section)
{
	table->offset = section->sh_offset;
	table->size = section->sh_size;
	table->address = section->sh_addr;
	if (!elf_is_packed(file, section))
		return 0;
	if (elf_unpack_section(file, section, &table->unpacked))
		return -ENOMEM;
	table->size = table->unpacked.size;
	return 0;
}

/* .eh_frame_hdr: what a program itself finds .eh_frame by. */
static const Elf64_Phdr *find_header(struct elf_file *file, struct header *header)
{
	const Elf64_Phdr *segment = elf_file_segment_of(file, PT_GNU_EH_FRAME);

	if (!segment || !elf_file_copy(file, segment->p_offset, header, sizeof(*header)) ||
	    memcmp(header->form, header_form, sizeof(header_form)) != 0)
		return NULL;
	return segment;
}

/* For files whose section headers were stripped; up to the section's terminator, or the end of the segment. */
static void use_segment(struct frame_table *table, const struct elf_file *file, uint64_t address)
{
	const Elf64_Phdr *segment = elf_file_segment(file, address);

	if (!segment)
		return;
	table->address = address;
	table->offset = segment->p_offset + (address - segment->p_vaddr);
	table->size = segment->p_filesz - (address - segment->p_vaddr);
	table->ends_at_terminator = true;
}

static int find_section(struct frame_table *table, struct elf_file *file, const struct header *header,
			const Elf64_Phdr *segment)
{
	const Elf64_Shdr *section = elf_file_section(file, table->is_eh_frame ? ".eh_frame" : ".debug_frame");

	if (!section && !table->is_eh_frame)
		section = elf_file_section(file, ".zdebug_frame");
	if (section)
		return use_section(table, file, section);
	if (segment)
		use_segment(table, file,
			    segment->p_vaddr + offsetof(struct header, section) +
				    (uint64_t)(int64_t)header->section);
	return 0;
}

/* False: it has no entries. */
static bool use_header(struct frame_table *table, const struct elf_file *file, const struct header *header,
		       const Elf64_Phdr *segment)
{
	uint64_t items = segment->p_offset + sizeof(*header);

	if (!header->count || items > file->size || header->count > (file->size - items) / HEADER_ITEM_SIZE)
		return false;
	table->header = items;
	table->header_address = segment->p_vaddr;
	table->count = header->count;
	return true;
}

static int add_item(struct frame_table *table, struct elf_file *file, uint64_t at,
		    const struct frame_entry_header *header)
{
	struct frame_description description;
	struct frame_entry *items;

	if (table->count >= ITEMS_MAX || !read_description(table, file, header, &description))
		return 0;
	items = array_reserve(table->items, table->count, &table->capacity, sizeof(*items));
	if (!items)
		return -ENOMEM;
	table->items = items;
	items[table->count++] = (struct frame_entry){ description.program.start, at };
	return 0;
}

static int read_items(struct frame_table *table, struct elf_file *file)
{
	struct frame_entry_header header;
	int err = 0;

	for (uint64_t at = 0; !err && read_header(table, file, at, &header);) {
		if (header.is_terminator && table->ends_at_terminator)
			break;
		if (!header.is_terminator && !header.is_common)
			err = add_item(table, file, at, &header);
		at = header.is_terminator ? at + TERMINATOR_SIZE : header.end;
	}
	return err;
}

int frame_table_open(struct frame_table *table, struct elf_file *file, bool is_eh_frame)
{
	struct header header;
	const Elf64_Phdr *segment = is_eh_frame ? find_header(file, &header) : NULL;
	int err;

	*table = (struct frame_table){ .is_eh_frame = is_eh_frame, .common_at = UINT64_MAX };
	err = find_section(table, file, &header, segment);
	if (!err && table->size) {
		table->bytes = malloc(sizeof(*table->bytes));
		err = table->bytes ? 0 : -ENOMEM;
	}
	if (!err && table->size && !(segment && use_header(table, file, &header, segment)) &&
	    table->size <= SECTION_MAX) {
		err = read_items(table, file) ?:
						array_sort(table->items, table->count, sizeof(*table->items));
	}
	if (err)
		frame_table_close(table);
	return err;
}

void frame_table_close(struct frame_table *table)
{
	free(table->items);
	free(table->unpacked.bytes);
	free(table->bytes);
	*table = (struct frame_table){ 0 };
}

/* False: the file does not have it. */
static bool read_item(const struct frame_table *table, struct elf_file *file, size_t index,
		      struct frame_entry *item)
{
	int32_t words[2];

	if (!table->header) {
		*item = table->items[index];
		return true;
	}
	if (!elf_file_copy(file, table->header + index * HEADER_ITEM_SIZE, words, sizeof(words)))
		return false;
	item->start = table->header_address + (uint64_t)(int64_t)words[0];
	item->entry = table->header_address + (uint64_t)(int64_t)words[1] - table->address;
	return true;
}

bool frame_table_find(struct frame_table *table, struct elf_file *file, uint64_t address,
		      struct frame_description *description)
{
	struct frame_entry_header header;
	size_t low = 0, high = table->count;
	struct frame_entry item;

	/* The first description above the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (!read_item(table, file, middle, &item))
			return false;
		if (item.start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && read_item(table, file, low - 1, &item) &&
	       read_header(table, file, item.entry, &header) && !header.is_terminator && !header.is_common &&
	       read_description(table, file, &header, description) &&
	       description->program.start == item.start && address - item.start < description->size;
}
