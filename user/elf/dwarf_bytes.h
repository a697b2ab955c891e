/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as DWARF encodes them, read one after the other from bytes that are not trusted. */
#ifndef SCALER_ELF_DWARF_BYTES_H
#define SCALER_ELF_DWARF_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* What is left to be read. Whatever is read beyond the end is 0. */
struct dwarf_bytes {
	const unsigned char *at;
	const unsigned char *end;
	bool failed; /* something was beyond the end */
};

/* A number of 1, 2, 4 or 8 bytes. */
uint64_t dwarf_bytes_unsigned(struct dwarf_bytes *bytes, unsigned int size);
int64_t dwarf_bytes_signed(struct dwarf_bytes *bytes, unsigned int size);

/* A number of any length. Bits above the 64th are dropped. Source: DWARF 5, section 7.6. */
uint64_t dwarf_bytes_uleb128(struct dwarf_bytes *bytes);
int64_t dwarf_bytes_sleb128(struct dwarf_bytes *bytes);

/* The next so many bytes; where there are fewer, none, and reading has failed. */
struct dwarf_bytes dwarf_bytes_take(struct dwarf_bytes *bytes, uint64_t size);

#endif
