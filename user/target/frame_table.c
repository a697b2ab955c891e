// SPDX-License-Identifier: GPL-2.0-only
/* The entries of .eh_frame and .debug_frame, told apart by libdw, and what their addresses are. */
#include "target/frame_table.h"

#include <dwarf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_BITS      0x0f /* of an address's encoding */
#define APPLICATION_BITS 0xf0
#define ADDRESS_SIZE     8 /* bytes */

/* How .eh_frame_hdr begins, in the one form that linkers write; then, from there, where .eh_frame is: 4 bytes. */
static const unsigned char frame_header_form[] = { 1, DW_EH_PE_pcrel | DW_EH_PE_sdata4 };
#define FRAME_POINTER_AT  4
#define FRAME_HEADER_SIZE 8

#define TERMINATOR_SIZE 4 /* bytes of a length of 0: linkers may leave one between two objects' entries */

/* More than any file has; a scan of it takes a second. */
#define SECTION_LIMIT (256 << 20)

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

/* What follows the CIE's pointer in an FDE: an address, a size, perhaps augmentation data, instructions. */
static bool read_description(const struct frame_table *table, const Dwarf_FDE *entry,
			     const struct frame_common *common, struct frame_description *description,
			     struct dwarf_bytes *instructions)
{
	struct dwarf_bytes bytes = { .at = entry->start, .end = entry->end };
	uint64_t size;

	description->start = read_address(table, &bytes, common->encoding);
	size = read_number(&bytes, common->encoding);
	description->size = (uint32_t)size;
	if (common->is_sized)
		dwarf_bytes_take(&bytes, dwarf_bytes_uleb128(&bytes));
	*instructions = bytes;
	return !bytes.failed && size && size == description->size;
}

/* What the letters of an augmentation say; false: there is one whose data's size nobody knows. */
static bool read_augmentation(struct frame_common *common, const Dwarf_CIE *entry)
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

/* Doubles an array that is full, whose counts are powers of two. */
static int reserve(void *array, size_t count, size_t item_size)
{
	void *items = *(void **)array, *grown;

	if (count && (count & (count - 1)))
		return 0;
	grown = realloc(items, (count ? 2 * count : 1) * item_size);
	if (!grown)
		return -ENOMEM;
	*(void **)array = grown;
	return 0;
}

static int add_common(struct frame_table *table, uint64_t offset, const Dwarf_CIE *entry)
{
	struct frame_common common = {
		.entry = offset,
		.instructions = { .at = entry->initial_instructions, .end = entry->initial_instructions_end },
		.code_alignment = entry->code_alignment_factor,
		.data_alignment = entry->data_alignment_factor,
		.return_register = entry->return_address_register,
		.encoding = DW_EH_PE_absptr,
	};

	if (!read_augmentation(&common, entry))
		return 0;
	if (reserve(&table->commons, table->common_count, sizeof(common)))
		return -ENOMEM;
	table->commons[table->common_count++] = common;
	return 0;
}

/* NULL: there is none that can be read. */
static const struct frame_common *find_common(const struct frame_table *table, uint64_t entry)
{
	size_t low = 0, high = table->common_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->commons[middle].entry == entry)
			return &table->commons[middle];
		if (table->commons[middle].entry < entry)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* A CIE comes before what refers to it, as compilers and linkers write them. */
static int add_description(struct frame_table *table, uint64_t offset, const Dwarf_FDE *entry)
{
	const struct frame_common *common = find_common(table, entry->CIE_pointer);
	struct frame_description description = { .entry = (uint32_t)offset };
	struct dwarf_bytes instructions;

	if (!common || !read_description(table, entry, common, &description, &instructions))
		return 0;
	if (reserve(&table->descriptions, table->count, sizeof(description)))
		return -ENOMEM;
	table->descriptions[table->count++] = description;
	return 0;
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

static int read_entries(struct frame_table *table)
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
		else if (!result && dwarf_cfi_cie_p(&entry))
			err = add_common(table, offset, &entry.cie);
		else if (!result)
			err = add_description(table, offset, &entry.fde);
	}
	return err;
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

/* The program header that leads to .eh_frame, for files whose section headers were stripped. */
static bool find_frame_header(Elf *elf, GElf_Phdr *header)
{
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (gelf_getphdr(elf, (int)i, header) && header->p_type == PT_GNU_EH_FRAME)
			return true;
	}
	return false;
}

/* There the section's size is not known: up to its terminator, or else to the end of the segment. */
static bool find_mapped(struct frame_table *table, Elf *elf)
{
	GElf_Phdr header, segment;
	uint64_t into;
	size_t size;
	char *file = elf_rawfile(elf, &size);
	int32_t distance;

	if (!file || !find_frame_header(elf, &header) || size < FRAME_HEADER_SIZE ||
	    header.p_offset > size - FRAME_HEADER_SIZE ||
	    memcmp(file + header.p_offset, frame_header_form, sizeof(frame_header_form)) != 0)
		return false;
	memcpy(&distance, file + header.p_offset + FRAME_POINTER_AT, sizeof(distance));
	table->address = header.p_vaddr + FRAME_POINTER_AT + (uint64_t)distance;
	if (!find_segment(elf, table->address, &segment))
		return false;
	into = table->address - segment.p_vaddr;
	if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset)
		return false;
	table->data.d_buf = file + segment.p_offset + into;
	table->data.d_size = segment.p_filesz - into;
	table->data.d_type = ELF_T_BYTE;
	table->ends_at_terminator = true;
	return true;
}

static int compare_descriptions(const void *left, const void *right)
{
	const struct frame_description *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

int frame_table_read(struct frame_table *table, Elf *elf, bool is_eh_frame)
{
	*table = (struct frame_table){ .is_eh_frame = is_eh_frame };
	if (!find_section(table, elf) && !(is_eh_frame && find_mapped(table, elf)))
		return 0;
	if (table->data.d_size <= SECTION_LIMIT && read_entries(table)) {
		frame_table_clear(table);
		return -ENOMEM;
	}
	if (table->count)
		qsort(table->descriptions, table->count, sizeof(*table->descriptions), compare_descriptions);
	return 0;
}

void frame_table_clear(struct frame_table *table)
{
	free(table->descriptions);
	free(table->commons);
	*table = (struct frame_table){ 0 };
}

const struct frame_description *frame_table_find(const struct frame_table *table, uint64_t address)
{
	size_t low = 0, high = table->count;

	/* The first description above the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->descriptions[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - table->descriptions[low - 1].start >= table->descriptions[low - 1].size)
		return NULL;
	return &table->descriptions[low - 1];
}

bool frame_table_row(const struct frame_table *table, const struct frame_description *description,
		     uint64_t address, struct frame_row *row, const struct frame_common **common)
{
	struct frame_description again = { 0 };
	struct frame_program program = { .start = description->start };
	Dwarf_CFI_Entry entry;
	uint64_t next;

	if (read_entry(table, description->entry, &next, &entry) || dwarf_cfi_cie_p(&entry))
		return false;
	*common = find_common(table, entry.fde.CIE_pointer);
	if (!*common || !read_description(table, &entry.fde, *common, &again, &program.own))
		return false;
	program.common = (*common)->instructions;
	program.code_alignment = (*common)->code_alignment;
	program.data_alignment = (*common)->data_alignment;
	return frame_program_run(&program, address, row);
}
