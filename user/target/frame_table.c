// SPDX-License-Identifier: GPL-2.0-only
/* The entries of .eh_frame and .debug_frame, told apart by libdw, and what their addresses are. */
#include "target/frame_table.h"

#include <dwarf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define FORMAT_BITS      0x0f /* of an address's encoding */
#define APPLICATION_BITS 0xf0
#define ADDRESS_SIZE     8 /* bytes */

/* Of an entry: where its CIE's augmentation is, and its length, which no compiler makes longer. */
#define AUGMENTATION_AT      9
#define LONG_AUGMENTATION_AT 21 /* behind a length of 64 bits */
#define LONG_LENGTH          0xffffffffU
#define AUGMENTATION_LIMIT   16

#define TERMINATOR_SIZE 4 /* bytes of a length of 0: linkers may leave one between two objects' entries */

/* More than any file has; to read them all takes a second. */
#define SECTION_LIMIT (256 << 20)

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
#define HEADER_SECTION_AT 4
#define HEADER_COUNT_AT   8
#define HEADER_ITEMS_AT   12
#define HEADER_ITEM_SIZE  8

/* What descriptions have in common: a CIE. */
struct common {
	uint64_t entry; /* where in the section */
	struct dwarf_bytes instructions;
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t return_register;
	unsigned char encoding; /* of the addresses in its descriptions */
	bool is_sized;          /* its descriptions have augmentation data, after their size */
	bool is_signal;
};

static uint64_t read_number(struct dwarf_bytes *bytes, unsigned char encoding)
{
	switch (encoding & FORMAT_BITS) {
	case DW_EH_PE_udata2:
		return dwarf_bytes_unsigned(bytes, 2);
	case DW_EH_PE_sdata2:
		return (uint64_t)dwarf_bytes_signed(bytes, 2);
	case DW_EH_PE_udata4:
		return dwarf_bytes_unsigned(bytes, 4);
	case DW_EH_PE_sdata4:
		return (uint64_t)dwarf_bytes_signed(bytes, 4);
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return dwarf_bytes_unsigned(bytes, ADDRESS_SIZE);
	case DW_EH_PE_uleb128:
		return dwarf_bytes_uleb128(bytes);
	case DW_EH_PE_sleb128:
		return (uint64_t)dwarf_bytes_sleb128(bytes);
	}
	bytes->failed = true;
	return 0;
}

/* An address that is stored as it is, or as its distance from where it is stored. */
static uint64_t read_address(const struct frame_table *table, struct dwarf_bytes *bytes,
			     unsigned char encoding)
{
	uint64_t place = table->address + (uint64_t)(bytes->at - (const unsigned char *)table->data.d_buf);

	switch (encoding & APPLICATION_BITS) {
	case DW_EH_PE_absptr:
		return read_number(bytes, encoding);
	case DW_EH_PE_pcrel:
		return place + read_number(bytes, encoding);
	}
	bytes->failed = true;
	return 0;
}

/* What the letters of an augmentation say; false: there is one whose data's size nobody knows. */
static bool read_augmentation(struct common *common, const Dwarf_CIE *entry)
{
	struct dwarf_bytes bytes = { .at = entry->augmentation_data };
	const char *letters = entry->augmentation;
	unsigned char encoding;

	common->is_sized = *letters == 'z';
	if (!common->is_sized) {
		/* Only one that has no data has a meaning there. */
		common->is_signal = *letters == 'S';
		return !letters[strspn(letters, "S")];
	}
	bytes.end = bytes.at + entry->augmentation_data_size;
	while (*++letters && !bytes.failed) {
		switch (*letters) {
		case 'R':
			common->encoding = (unsigned char)dwarf_bytes_unsigned(&bytes, 1);
			break;
		case 'P':
			encoding = (unsigned char)dwarf_bytes_unsigned(&bytes, 1);
			read_number(&bytes, encoding);
			break;
		case 'L':
			dwarf_bytes_unsigned(&bytes, 1);
			break;
		case 'S':
			common->is_signal = true;
			break;
		default:
			return false;
		}
	}
	return !bytes.failed;
}

/* As dwarf_next_cfi(). */
static int read_entry(const struct frame_table *table, uint64_t offset, uint64_t *next,
		      Dwarf_CFI_Entry *entry)
{
	static const unsigned char identity[EI_NIDENT] = {
		[EI_CLASS] = ELFCLASS64,
		[EI_DATA] = ELFDATA2LSB,
	};
	Elf_Data data = table->data;

	return dwarf_next_cfi(identity, &data, table->is_eh_frame, offset, next, entry);
}

/* What libdw would search a whole section for the end of, once for each description. */
static bool has_short_augmentation(const struct frame_table *table, uint64_t entry)
{
	const unsigned char *bytes = table->data.d_buf;
	uint64_t at = entry + AUGMENTATION_AT, left;
	uint32_t length;

	if (entry > table->data.d_size || table->data.d_size - entry < sizeof(length))
		return false;
	memcpy(&length, bytes + entry, sizeof(length));
	if (length == LONG_LENGTH)
		at = entry + LONG_AUGMENTATION_AT;
	if (at >= table->data.d_size)
		return false;
	left = table->data.d_size - at;
	return memchr(bytes + at, '\0', left < AUGMENTATION_LIMIT ? left : AUGMENTATION_LIMIT);
}

static bool read_common(const struct frame_table *table, uint64_t offset, struct common *common)
{
	Dwarf_CFI_Entry entry;
	uint64_t next;

	if (!has_short_augmentation(table, offset) || read_entry(table, offset, &next, &entry) ||
	    !dwarf_cfi_cie_p(&entry))
		return false;
	*common = (struct common){
		.entry = offset,
		.instructions = { .at = entry.cie.initial_instructions,
				  .end = entry.cie.initial_instructions_end },
		.code_alignment = entry.cie.code_alignment_factor,
		.data_alignment = entry.cie.data_alignment_factor,
		.return_register = entry.cie.return_address_register,
		.encoding = DW_EH_PE_absptr,
	};
	return read_augmentation(common, &entry.cie);
}

/* What follows the CIE's pointer in an FDE: an address, a size, perhaps augmentation data, instructions. */
static bool read_description(const struct frame_table *table, const Dwarf_FDE *entry,
			     struct frame_description *description)
{
	struct dwarf_bytes bytes = { .at = entry->start, .end = entry->end };
	struct common common;

	if (!read_common(table, entry->CIE_pointer, &common))
		return false;
	description->program = (struct frame_program){
		.common = common.instructions,
		.start = read_address(table, &bytes, common.encoding),
		.code_alignment = common.code_alignment,
		.data_alignment = common.data_alignment,
	};
	description->size = read_number(&bytes, common.encoding);
	description->return_register = common.return_register;
	description->is_signal = common.is_signal;
	if (common.is_sized)
		dwarf_bytes_take(&bytes, dwarf_bytes_uleb128(&bytes));
	description->program.own = bytes;
	return !bytes.failed && description->size;
}

/* Of compressed sections under their old name libdw has made plain ones. */
static bool is_frame_section(const char *name, bool is_eh_frame)
{
	if (is_eh_frame)
		return !strcmp(name, ".eh_frame");
	return !strcmp(name, ".debug_frame") || !strcmp(name, ".zdebug_frame");
}

static bool find_section(struct frame_table *table, Elf *elf)
{
	Elf_Scn *section = NULL;
	Elf_Data *data = NULL;
	GElf_Shdr header;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return false;
	while (!data && (section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, &header) && header.sh_type != SHT_NOBITS ?
					   elf_strptr(elf, strings, header.sh_name) :
					   NULL;

		if (name && is_frame_section(name, table->is_eh_frame))
			data = elf_getdata(section, NULL);
	}
	if (!data)
		return false;
	table->data = *data;
	table->address = header.sh_addr;
	return true;
}

/* The header of the segment that the address is in; false: there is none. */
static bool find_segment(Elf *elf, uint64_t address, GElf_Phdr *header)
{
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (gelf_getphdr(elf, (int)i, header) && header->p_type == PT_LOAD &&
		    address - header->p_vaddr < header->p_filesz)
			return true;
	}
	return false;
}

/* .eh_frame_hdr: what a program itself finds .eh_frame by. */
struct header {
	char *bytes;
	size_t size; /* of the file from there on */
	uint64_t address;
};

static bool find_header(struct header *header, Elf *elf)
{
	GElf_Phdr program;
	size_t count, size;
	char *file = elf_rawfile(elf, &size);

	if (!file || elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &program) || program.p_type != PT_GNU_EH_FRAME)
			continue;
		if (size < HEADER_ITEMS_AT || program.p_offset > size - HEADER_ITEMS_AT)
			return false;
		*header =
			(struct header){ file + program.p_offset, size - program.p_offset, program.p_vaddr };
		return !memcmp(header->bytes, header_form, sizeof(header_form));
	}
	return false;
}

/* For files whose section headers were stripped; up to the section's terminator, or the end of the segment. */
static bool find_mapped(struct frame_table *table, Elf *elf, const struct header *header)
{
	size_t size;
	char *file = elf_rawfile(elf, &size);
	GElf_Phdr segment;
	uint64_t into;
	int32_t distance;

	memcpy(&distance, header->bytes + HEADER_SECTION_AT, sizeof(distance));
	table->address = header->address + HEADER_SECTION_AT + (uint64_t)distance;
	if (!find_segment(elf, table->address, &segment) || segment.p_offset > size ||
	    segment.p_filesz > size - segment.p_offset)
		return false;
	into = table->address - segment.p_vaddr;
	table->data.d_buf = file + segment.p_offset + into;
	table->data.d_size = segment.p_filesz - into;
	table->data.d_type = ELF_T_BYTE;
	table->ends_at_terminator = true;
	return true;
}

/* False: it has no entries. */
static bool use_header(struct frame_table *table, const struct header *header)
{
	uint32_t count;

	memcpy(&count, header->bytes + HEADER_COUNT_AT, sizeof(count));
	if (!count || count > (header->size - HEADER_ITEMS_AT) / HEADER_ITEM_SIZE)
		return false;
	table->header = header->bytes;
	table->header_address = header->address;
	table->count = count;
	return true;
}

static int add_item(struct frame_table *table, uint64_t offset, const Dwarf_FDE *entry)
{
	struct frame_description description;
	struct frame_entry *items;

	if (!read_description(table, entry, &description))
		return 0;
	items = array_reserve(table->items, table->count, &table->capacity, sizeof(*items));
	if (!items)
		return -ENOMEM;
	table->items = items;
	items[table->count++] = (struct frame_entry){ description.program.start, offset };
	return 0;
}

static int read_items(struct frame_table *table)
{
	uint64_t offset, next;
	int err = 0;

	for (offset = 0; offset < table->data.d_size && !err; offset = next) {
		Dwarf_CFI_Entry entry;
		int result = read_entry(table, offset, &next, &entry);

		if (result > 0 && table->ends_at_terminator)
			break;
		if (result > 0)
			next = offset + TERMINATOR_SIZE;
		else if (next <= offset)
			break; /* malformed beyond what can be skipped */
		else if (!result && !dwarf_cfi_cie_p(&entry))
			err = add_item(table, offset, &entry.fde);
	}
	return err;
}

static int compare_items(const void *left, const void *right)
{
	const struct frame_entry *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

int frame_table_open(struct frame_table *table, Elf *elf, bool is_eh_frame)
{
	struct header header = { 0 };
	bool has_header = is_eh_frame && find_header(&header, elf);

	*table = (struct frame_table){ .is_eh_frame = is_eh_frame };
	if (!find_section(table, elf) && !(has_header && find_mapped(table, elf, &header)))
		return 0;
	if (has_header && use_header(table, &header))
		return 0;
	if (table->data.d_size <= SECTION_LIMIT && read_items(table)) {
		frame_table_close(table);
		return -ENOMEM;
	}
	if (table->count)
		qsort(table->items, table->count, sizeof(*table->items), compare_items);
	return 0;
}

void frame_table_close(struct frame_table *table)
{
	free(table->items);
	*table = (struct frame_table){ 0 };
}

static struct frame_entry read_item(const struct frame_table *table, size_t index)
{
	int32_t words[2];

	if (!table->header)
		return table->items[index];
	memcpy(words, table->header + HEADER_ITEMS_AT + index * HEADER_ITEM_SIZE, sizeof(words));
	return (struct frame_entry){
		.start = table->header_address + (uint64_t)words[0],
		.entry = table->header_address + (uint64_t)words[1] - table->address,
	};
}

bool frame_table_get(const struct frame_table *table, size_t index, struct frame_description *description)
{
	struct frame_entry item = read_item(table, index);
	Dwarf_CFI_Entry entry;
	uint64_t next;

	return item.entry < table->data.d_size && !read_entry(table, item.entry, &next, &entry) &&
	       !dwarf_cfi_cie_p(&entry) && read_description(table, &entry.fde, description) &&
	       description->program.start == item.start;
}

bool frame_table_find(const struct frame_table *table, uint64_t address,
		      struct frame_description *description)
{
	size_t low = 0, high = table->count;

	/* The first description above the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (read_item(table, middle).start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && frame_table_get(table, low - 1, description) &&
	       address - description->program.start < description->size;
}
