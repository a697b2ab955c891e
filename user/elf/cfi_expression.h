/* SPDX-License-Identifier: GPL-2.0-only */
/* What a DWARF expression in call frame information comes to, as far as unwind rules can say it. */
#ifndef SCALER_ELF_CFI_EXPRESSION_H
#define SCALER_ELF_CFI_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/dwarf_bytes.h"

/* Registers by their DWARF numbers on x86-64, and what is none. */
enum cfi_base {
	CFI_RBX = 3,
	CFI_RBP = 6,
	CFI_RSP = 7,
	CFI_RIP = 16,
	CFI_CFA = 100,
	CFI_CONSTANT,
};

/* base + offset, or, if loaded, the word at base + offset, and added to it. */
struct cfi_value {
	int base;
	bool loaded;
	int64_t offset;
	int64_t added;
};

/*
 * Evaluates an expression, with the CFA on its stack or with nothing, at an instruction, whose address it may use.
 * False: it is malformed, or comes to something else. Nothing of it is trusted.
 */
bool cfi_expression_evaluate(struct dwarf_bytes bytes, bool begins_with_cfa, uint64_t address,
			     struct cfi_value *value);

#endif
