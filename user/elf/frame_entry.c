// SPDX-License-Identifier: GPL-2.0-only
/* Entries of frame tables, from bytes. */
#include "elf/frame_entry.h"

#include <dwarf.h>
#include <string.h>

#define FORMAT_BITS      0x0f /* of an address's encoding */
#define APPLICATION_BITS 0xf0
#define ADDRESS_SIZE     8 /* bytes */

#define LONG_LENGTH        0xffffffffU /* a length of 64 bits follows */
#define AUGMENTATION_LIMIT 16          /* bytes; no compiler makes it longer */

bool frame_entry_read_header(struct frame_entry_header *header, bool is_eh_frame, uint64_t at,
			     struct dwarf_bytes bytes)
{
	const unsigned char *start = bytes.at;
	uint64_t length = dwarf_bytes_unsigned(&bytes, 4), identity, identity_at;
	bool is_long = length == LONG_LENGTH;

	*header = (struct frame_entry_header){ 0 };
	if (is_long)
		length = dwarf_bytes_unsigned(&bytes, 8);
	identity_at = at + (uint64_t)(bytes.at - start);
	header->is_terminator = !bytes.failed && !length;
	header->body = identity_at;
	header->end = identity_at + length;
	if (bytes.failed || header->end < identity_at)
		return false;
	if (header->is_terminator)
		return true;
	/* In .eh_frame also that of a long entry has four bytes. */
	identity = dwarf_bytes_unsigned(&bytes, is_long && !is_eh_frame ? 8 : 4);
	header->body = at + (uint64_t)(bytes.at - start);
	if (is_eh_frame) {
		header->is_common = !identity;
		header->common = identity_at - identity;
	} else {
		header->is_common = identity == (is_long ? UINT64_MAX : UINT32_MAX);
		header->common = identity;
	}
	return !bytes.failed && header->body <= header->end;
}

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

/* An address that is stored as it is, or as its distance from the place where it is stored. */
static uint64_t read_address(struct dwarf_bytes *bytes, unsigned char encoding, uint64_t place)
{
	switch (encoding & APPLICATION_BITS) {
	case DW_EH_PE_absptr:
		return read_number(bytes, encoding);
	case DW_EH_PE_pcrel:
		return place + read_number(bytes, encoding);
	}
	bytes->failed = true;
	return 0;
}

/* What the letters of an augmentation say of its data; false: there is one whose data's size nobody knows. */
static bool read_augmentation(struct frame_common *common, const char *letters, struct dwarf_bytes data)
{
	while (*++letters && !data.failed) {
		switch (*letters) {
		case 'R':
			common->encoding = (unsigned char)dwarf_bytes_unsigned(&data, 1);
			break;
		case 'P':
			read_number(&data, (unsigned char)dwarf_bytes_unsigned(&data, 1));
			break;
		case 'L':
			dwarf_bytes_unsigned(&data, 1);
			break;
		case 'S':
			common->is_signal = true;
			break;
		default:
			return false;
		}
	}
	return !data.failed;
}

/* The letters, or NULL. */
static const char *take_letters(struct dwarf_bytes *body)
{
	size_t left = (size_t)(body->end - body->at);
	const unsigned char *letters = body->at,
			    *end = memchr(letters, '\0',
					  left < AUGMENTATION_LIMIT ? left : AUGMENTATION_LIMIT);

	if (!end)
		return NULL;
	body->at = end + 1;
	return (const char *)letters;
}

bool frame_entry_read_common(struct frame_common *common, struct dwarf_bytes body)
{
	unsigned int version = (unsigned int)dwarf_bytes_unsigned(&body, 1);
	const char *letters = take_letters(&body);

	*common = (struct frame_common){ .encoding = DW_EH_PE_absptr };
	if (!letters || (version != 1 && version != 3 && version != 4))
		return false;
	/* The sizes of an address and of a segment's number. */
	if (version == 4 && dwarf_bytes_unsigned(&body, 2) != ADDRESS_SIZE)
		return false;
	common->code_alignment = dwarf_bytes_uleb128(&body);
	common->data_alignment = dwarf_bytes_sleb128(&body);
	common->return_register = version == 1 ? dwarf_bytes_unsigned(&body, 1) : dwarf_bytes_uleb128(&body);
	common->is_sized = *letters == 'z';
	if (common->is_sized) {
		struct dwarf_bytes data = dwarf_bytes_take(&body, dwarf_bytes_uleb128(&body));

		if (!read_augmentation(common, letters, data))
			return false;
	} else {
		/* Only one that has no data has a meaning there. */
		common->is_signal = *letters == 'S';
		if (letters[strspn(letters, "S")])
			return false;
	}
	common->instructions = body;
	return !body.failed && body.end - body.at <= FRAME_INITIAL_MAX;
}

bool frame_entry_read_description(struct frame_description *description, const struct frame_common *common,
				  struct dwarf_bytes body, uint64_t address)
{
	description->program = (struct frame_program){
		.common = common->instructions,
		.start = read_address(&body, common->encoding, address),
		.code_alignment = common->code_alignment,
		.data_alignment = common->data_alignment,
	};
	description->size = read_number(&body, common->encoding);
	description->return_register = common->return_register;
	description->is_signal = common->is_signal;
	if (common->is_sized)
		dwarf_bytes_take(&body, dwarf_bytes_uleb128(&body));
	description->program.own = body;
	return !body.failed && description->size;
}
