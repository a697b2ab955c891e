/* SPDX-License-Identifier: GPL-2.0-only */
/* What reports call a place in an ELF file: a call's last byte, an instruction, or a variable. */
#ifndef SCALER_ELF_SYMBOL_PLACES_H
#define SCALER_ELF_SYMBOL_PLACES_H

#include "elf/symbols.h"

struct symbol_place {
	char *name; /* owned, not trusted; NULL: no symbol; or a variable, "pool+0x18" within it */
	/*
	 * Without a name, by the file's own addresses: where the function begins, if its frame description tells; else where
	 * a call goes on, as disassemblers show a caller; of a variable its address. With a name 0.
	 */
	uint64_t address;
};

/* The address of a place in a file of which no more is known than that it was loaded as it is. */
static inline uint64_t symbol_place_unknown(uint64_t file_offset)
{
	return file_offset + 1;
}

/* Of what is at that offset in the file. Returns 0 or -ENOMEM. */
int symbol_place_find(struct symbols *symbols, uint64_t file_offset, struct symbol_place *place);

#endif
