// SPDX-License-Identifier: GPL-2.0-only
/* DWARF's numbers: little-endian ones, as this machine has them, and those of seven bits a byte. */
#include "elf/dwarf_bytes.h"

#include <string.h>

#define SIGN_BIT 0x40 /* of a signed number's last byte */
#define MORE     0x80 /* another byte follows */

struct dwarf_bytes dwarf_bytes_take(struct dwarf_bytes *bytes, uint64_t size)
{
	struct dwarf_bytes taken = { .at = bytes->at };

	if (size > (uint64_t)(bytes->end - bytes->at)) {
		bytes->at = bytes->end;
		bytes->failed = true;
		size = 0;
	}
	taken.end = taken.at + size;
	bytes->at += size;
	return taken;
}

uint64_t dwarf_bytes_unsigned(struct dwarf_bytes *bytes, unsigned int size)
{
	struct dwarf_bytes taken = dwarf_bytes_take(bytes, size);
	uint64_t value = 0;

	memcpy(&value, taken.at, (size_t)(taken.end - taken.at));
	return value;
}

int64_t dwarf_bytes_signed(struct dwarf_bytes *bytes, unsigned int size)
{
	unsigned int unused = 64 - 8 * size;

	return (int64_t)(dwarf_bytes_unsigned(bytes, size) << unused) >> unused;
}

/* Returns how many bits it had. */
static unsigned int read_sevens(struct dwarf_bytes *bytes, uint64_t *value, bool *is_negative)
{
	unsigned int bits = 0;
	uint64_t byte;

	*value = 0;
	do {
		byte = dwarf_bytes_unsigned(bytes, 1);
		if (bits < 64)
			*value |= (byte & (MORE - 1)) << bits;
		bits += 7;
	} while (byte & MORE);
	*is_negative = byte & SIGN_BIT;
	return bits;
}

uint64_t dwarf_bytes_uleb128(struct dwarf_bytes *bytes)
{
	bool is_negative;
	uint64_t value;

	read_sevens(bytes, &value, &is_negative);
	return value;
}

int64_t dwarf_bytes_sleb128(struct dwarf_bytes *bytes)
{
	bool is_negative;
	uint64_t value;
	unsigned int bits = read_sevens(bytes, &value, &is_negative);

	if (is_negative && bits < 64)
		value |= UINT64_MAX << bits;
	return (int64_t)value;
}
