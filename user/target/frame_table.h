/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame descriptions of an ELF file, in its .eh_frame or in .debug_frame, found by the table that linkers
 * make beside the former (.eh_frame_hdr), or else by reading them all once.
 * Source: DWARF 5, section 6.4, and LSB 10.6. The file is not trusted: what is wrong in it costs descriptions.
 */
#ifndef SCALER_TARGET_FRAME_TABLE_H
#define SCALER_TARGET_FRAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "target/frame_program.h"

/* Of some code: an FDE and its CIE. */
struct frame_description {
	struct frame_program program; /* whose start is the code's, as the file numbers its own addresses */
	uint64_t size;
	uint64_t return_register; /* its DWARF number */
	bool is_signal;           /* a signal interrupted what the frame's caller did */
};

/* Where in the section the description of the code from that address on is. */
struct frame_entry {
	uint64_t start;
	uint64_t entry;
};

struct frame_table {
	size_t count;            /* of descriptions, as far as is known without reading them */
	const char *header;      /* the linker's table of them, in the file; NULL: entries is what there is */
	uint64_t header_address; /* of all of .eh_frame_hdr */
	struct frame_entry *items; /* owned; by start */
	size_t capacity;
	/* Of the section, whose bytes are in the file. */
	bool is_eh_frame;
	bool ends_at_terminator; /* else entries may follow it */
	Elf_Data data;
	uint64_t address;
};

/*
 * Opens the .eh_frame or the .debug_frame of a file, which must stay open for as long as the table. Returns 0,
 * also for a file without any, or -ENOMEM, with nothing to close.
 */
int frame_table_open(struct frame_table *table, Elf *elf, bool is_eh_frame);
void frame_table_close(struct frame_table *table);

/* The description of the code at that address; its instructions are in the file. False: there is none. */
bool frame_table_find(const struct frame_table *table, uint64_t address,
		      struct frame_description *description);

/* That of the table's count; false: it cannot be read. */
bool frame_table_get(const struct frame_table *table, size_t index, struct frame_description *description);

#endif
