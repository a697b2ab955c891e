/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Single entries of .eh_frame and .debug_frame: what descriptions have in common (CIE), and descriptions (FDE).
 * Source: DWARF 5, section 6.4.1, and for .eh_frame LSB 10.6. They are not trusted.
 */
#ifndef SCALER_ELF_FRAME_ENTRY_H
#define SCALER_ELF_FRAME_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/dwarf_bytes.h"
#include "elf/frame_program.h"

/* Bytes of one that is read; what is longer is none. Compilers make CIEs of 30 bytes, and FDEs of 30 for each page of code. */
#define FRAME_COMMON_MAX      1024
#define FRAME_INITIAL_MAX     256 /* of the CIE's instructions */
#define FRAME_DESCRIPTION_MAX (64 << 10)

/* How an entry begins. */
struct frame_entry_header {
	uint64_t body;   /* where in the section what is behind this header begins */
	uint64_t end;    /* where the entry ends */
	uint64_t common; /* of an FDE: where its CIE begins */
	bool is_common;  /* it is a CIE */
	bool is_terminator;
};

#define FRAME_HEADER_SIZE 20 /* bytes: with a length and an identity of 64 bits */

/* Of one that begins at that place of a section, by its first bytes, as many as there are; false: there is none. */
bool frame_entry_read_header(struct frame_entry_header *header, bool is_eh_frame, uint64_t at,
			     struct dwarf_bytes bytes);

/* A CIE. */
struct frame_common {
	struct dwarf_bytes instructions;
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t return_register; /* its DWARF number */
	unsigned char encoding;   /* of the addresses in its descriptions */
	bool is_sized;            /* its descriptions have augmentation data, after their size */
	bool is_signal;           /* a signal interrupted what the frame's caller did */
};

/* By what is behind its header. False: it cannot be understood. */
bool frame_entry_read_common(struct frame_common *common, struct dwarf_bytes body);

/* Of some code: an FDE and its CIE. */
struct frame_description {
	struct frame_program program; /* whose start is the code's, as the file numbers its own addresses */
	uint64_t size;
	uint64_t return_register;
	bool is_signal;
};

/* By what is behind its header, which is mapped to that address. */
bool frame_entry_read_description(struct frame_description *description, const struct frame_common *common,
				  struct dwarf_bytes body, uint64_t address);

#endif
