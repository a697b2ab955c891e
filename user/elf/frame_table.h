/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame descriptions of an ELF file, in its .eh_frame or in .debug_frame, found by the table that linkers
 * make beside the former (.eh_frame_hdr), or else by reading them all once.
 * Source: DWARF 5, section 6.4, and LSB 10.6. The file is not trusted: what is wrong in it costs descriptions.
 */
#ifndef SCALER_ELF_FRAME_TABLE_H
#define SCALER_ELF_FRAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_file.h"
#include "elf/frame_entry.h"

/* Where in the section the description of the code from that address on is. */
struct frame_entry {
	uint64_t start;
	uint64_t entry;
};

struct frame_table {
	size_t count;    /* of descriptions, as far as is known without reading them */
	uint64_t header; /* where in the file the linker's table of them is; 0: items is what there is */
	uint64_t header_address;
	struct frame_entry *items; /* owned; by start */
	size_t capacity;
	bool is_eh_frame;
	bool ends_at_terminator; /* else entries may follow it */
	/* Of the section. */
	uint64_t offset; /* in the file */
	uint64_t size;
	uint64_t address;
	struct elf_bytes unpacked; /* owned; its bytes, if they are packed in the file */
	/* Of what was read last. */
	struct frame_bytes *bytes; /* owned; NULL: there is no section */
	uint64_t common_at;
	struct frame_common common;
};

/* Finds the .eh_frame or the .debug_frame of a file. Returns 0, also for one without any, or -ENOMEM, with nothing to close. */
int frame_table_open(struct frame_table *table, struct elf_file *file, bool is_eh_frame);
void frame_table_close(struct frame_table *table);

/* The description of the code at that address; its instructions are the table's, up to the next call. False: there is none. */
bool frame_table_find(struct frame_table *table, struct elf_file *file, uint64_t address,
		      struct frame_description *description);

#endif
