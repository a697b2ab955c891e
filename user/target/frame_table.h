/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame descriptions of an ELF file, in its .eh_frame or in .debug_frame: which code each describes, which
 * are the functions, whether they have symbols or not, and where a caller's frame is. Read once from one end of
 * the section to the other: the table that linkers make beside it (.eh_frame_hdr) may lie.
 * Source: DWARF 5, section 6.4, and LSB 10.6. The file is not trusted: what is wrong in it costs descriptions.
 */
#ifndef SCALER_TARGET_FRAME_TABLE_H
#define SCALER_TARGET_FRAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "target/frame_program.h"

struct frame_description {
	uint64_t start; /* as the file numbers its own addresses */
	uint32_t size;
	uint32_t entry; /* where in the section */
};

/* What descriptions have in common: a CIE. */
struct frame_common {
	uint64_t entry; /* where in the section */
	struct dwarf_bytes instructions;
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t return_register; /* its DWARF number */
	unsigned char encoding;   /* of the addresses in its descriptions */
	bool is_sized;            /* its descriptions have augmentation data, after their size */
	bool is_signal;           /* its descriptions are of frames that signals interrupt */
};

struct frame_table {
	struct frame_description *descriptions; /* owned; by start */
	size_t count;
	struct frame_common *commons; /* owned; by entry */
	size_t common_count;
	/* Of the section, whose bytes are those of the ELF file that it was read from. */
	bool is_eh_frame;
	bool ends_at_terminator; /* else entries may follow it */
	Elf_Data data;
	uint64_t address;
};

/*
 * Reads the .eh_frame or the .debug_frame of a file, which must stay open for as long as rows are asked for.
 * Returns 0, also for a file without any, or -ENOMEM, with nothing to clear.
 */
int frame_table_read(struct frame_table *table, Elf *elf, bool is_eh_frame);
void frame_table_clear(struct frame_table *table);

/* The description of the code at that address, or NULL. */
const struct frame_description *frame_table_find(const struct frame_table *table, uint64_t address);

/* The row at an address of a description; common is the table's. False: it is malformed. */
bool frame_table_row(const struct frame_table *table, const struct frame_description *description,
		     uint64_t address, struct frame_row *row, const struct frame_common **common);

#endif
