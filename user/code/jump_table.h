/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables by which compiled code jumps to one of the cases of a switch. */
#ifndef SCALER_CODE_JUMP_TABLE_H
#define SCALER_CODE_JUMP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/instruction.h"

/* As many instructions before a jump as are looked at. */
#define JUMP_TABLE_RECENT 32

/* The latest instructions that run one after the other. */
struct recent_code {
	struct instruction items[JUMP_TABLE_RECENT];
	size_t count; /* of all that there were; item i is at i % JUMP_TABLE_RECENT */
};

void recent_code_add(struct recent_code *recent, const struct instruction *instruction);

/* Whether the latest instruction is right behind one that takes a frame down. */
bool recent_code_leaves(const struct recent_code *recent);

/* Entries are words of 32 bits, with signs: so far behind the table's beginning the case is. */
struct jump_table {
	uint64_t address;
	size_t count;
};

/*
 * The table by which the latest instruction, a computed jump, goes: what gcc and clang make for code that may lie
 * anywhere, after a comparison with the last case. False: it is not known to be such a jump.
 */
bool jump_table_find(const struct recent_code *recent, struct jump_table *table);

#endif
