/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What call frame instructions come to at one address: where the caller's frame is and its registers are, for
 * the registers that unwind rules know. Source: DWARF 5, section 6.4.2, and the GNU extensions of LSB 10.6.
 */
#ifndef SCALER_ELF_FRAME_PROGRAM_H
#define SCALER_ELF_FRAME_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/dwarf_bytes.h"

/* The registers that are followed. */
enum frame_register {
	FRAME_RBX,
	FRAME_RBP,
	FRAME_RIP, /* the return address */
	FRAME_REGISTERS,
};

enum frame_place_kind {
	FRAME_KEPT, /* the caller's value is still there; also where nothing is said */
	FRAME_UNDEFINED,
	FRAME_AT_CFA,        /* in memory at the CFA + offset */
	FRAME_AT_EXPRESSION, /* in memory at the expression's value, which begins with the CFA on its stack */
	FRAME_IN_REGISTER,   /* of that DWARF number, which is in offset */
	FRAME_ELSEWHERE,
};

struct frame_place {
	enum frame_place_kind kind;
	int64_t offset;
	struct dwarf_bytes expression;
};

enum frame_cfa_kind {
	FRAME_CFA_UNKNOWN,
	FRAME_CFA_REGISTER, /* the register of that DWARF number + offset */
	FRAME_CFA_EXPRESSION,
};

struct frame_row {
	enum frame_cfa_kind cfa;
	uint64_t cfa_register;
	int64_t cfa_offset;
	struct dwarf_bytes cfa_expression;
	struct frame_place registers[FRAME_REGISTERS];
};

/* Nothing in it is trusted. */
struct frame_program {
	struct dwarf_bytes common; /* instructions: those of the CIE, then those of the FDE */
	struct dwarf_bytes own;
	uint64_t start; /* the address that the FDE begins at */
	uint64_t code_alignment;
	int64_t data_alignment;
};

/* The row at an address. Its expressions are the program's. False: the program is malformed up to there. */
bool frame_program_run(const struct frame_program *program, uint64_t address, struct frame_row *row);

#endif
