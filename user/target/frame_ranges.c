// SPDX-License-Identifier: GPL-2.0-only
/* The ranges of frame descriptions, as the table that points at them has them. */
#include "target/frame_ranges.h"

#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The one form of the table that linkers write: 4-byte differences from the table's address, sorted. */
static const unsigned char table_form[] = {
	1,    /* version */
	0x1b, /* the address of .eh_frame: from here, signed, 4 bytes */
	0x03, /* how many entries there are: 4 bytes */
	0x3b, /* an entry's two addresses: from the table, signed, 4 bytes each */
};

#define TABLE_COUNT_AT   8
#define TABLE_ENTRIES_AT 12
#define ENTRY_SIZE       8

/* In a description: its function's first address, from here, signed, 4 bytes; then its size, 4 bytes. */
#define DESCRIPTION_START_AT 8
#define DESCRIPTION_SIZE     16

struct file_part {
	const char *bytes; /* of the file */
	size_t size;       /* of the file */
	uint64_t offset;   /* of the table */
	uint64_t address;  /* of the table */
};

/* Four bytes at an address near the table; false: the file has none there. */
static bool read_word(const struct file_part *part, uint64_t address, int32_t *word)
{
	uint64_t offset = part->offset + (address - part->address);

	if (part->size < sizeof(*word) || offset > part->size - sizeof(*word))
		return false;
	memcpy(word, part->bytes + offset, sizeof(*word));
	return true;
}

static bool find_table(struct file_part *part, Elf *elf)
{
	size_t count;
	GElf_Phdr header;

	part->bytes = elf_rawfile(elf, &part->size);
	if (!part->bytes || elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_GNU_EH_FRAME)
			continue;
		part->offset = header.p_offset;
		part->address = header.p_vaddr;
		return part->size >= TABLE_ENTRIES_AT && header.p_offset <= part->size - TABLE_ENTRIES_AT &&
		       !memcmp(part->bytes + header.p_offset, table_form, sizeof(table_form));
	}
	return false;
}

/* What an entry of the table and the description that it leads to agree on. */
static bool read_range(const struct file_part *part, uint64_t entry, struct frame_range *range)
{
	int32_t start, description, description_start, size;
	uint64_t at;

	if (!read_word(part, entry, &start) || !read_word(part, entry + 4, &description))
		return false;
	range->start = part->address + (uint64_t)start;
	at = part->address + (uint64_t)description + DESCRIPTION_START_AT;
	if (!read_word(part, at, &description_start) || !read_word(part, at + 4, &size))
		return false;
	range->size = (uint32_t)size;
	return at + (uint64_t)description_start == range->start && size;
}

static int compare_ranges(const void *left, const void *right)
{
	const struct frame_range *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

int frame_ranges_read(struct frame_ranges *ranges, Elf *elf)
{
	struct file_part part = { 0 };
	uint64_t entry;
	int32_t count;

	*ranges = (struct frame_ranges){ 0 };
	if (!find_table(&part, elf) || !read_word(&part, part.address + TABLE_COUNT_AT, &count) ||
	    (uint32_t)count > part.size / ENTRY_SIZE)
		return 0;
	ranges->items = calloc((uint32_t)count + 1, sizeof(*ranges->items));
	if (!ranges->items)
		return -ENOMEM;
	entry = part.address + TABLE_ENTRIES_AT;
	for (uint32_t i = 0; i < (uint32_t)count; i++, entry += ENTRY_SIZE)
		ranges->count += read_range(&part, entry, &ranges->items[ranges->count]);
	/* Linkers have sorted them; who lies has not. */
	qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
	return 0;
}

void frame_ranges_clear(struct frame_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct frame_ranges){ 0 };
}

const struct frame_range *frame_ranges_find(const struct frame_ranges *ranges, uint64_t address)
{
	size_t low = 0, high = ranges->count;

	/* The first range above the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - ranges->items[low - 1].start >= ranges->items[low - 1].size)
		return NULL;
	return &ranges->items[low - 1];
}
