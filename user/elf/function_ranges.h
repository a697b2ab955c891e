/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the functions of an ELF file lie, by its symbols. The file is not trusted: what is wrong in it costs ranges, no more. */
#ifndef SCALER_ELF_FUNCTION_RANGES_H
#define SCALER_ELF_FUNCTION_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "elf/elf_file.h"
#include "elf/elf_symbols.h"

struct function_range {
	uint64_t start; /* first, for array_count_below(); as the file numbers its own addresses */
	uint64_t size;
	uint64_t name; /* where it is in the table's names */
};

struct function_ranges {
	struct function_range *items; /* owned; by start */
	size_t count;
	struct elf_symbols table;
};

/*
 * Those of .symtab, else .dynsym; not what compilers take out of a function as seldom executed, NAME.cold: it is jumped to,
 * with the frame of the rest. Returns 0, also for a file without any, or -ENOMEM; the caller clears them in both cases.
 */
int function_ranges_read(struct function_ranges *ranges, struct elf_file *file);
void function_ranges_clear(struct function_ranges *ranges);

/* The range around that address, of the file that they were read of; or NULL. */
const struct function_range *function_ranges_find(const struct function_ranges *ranges, struct elf_file *file,
						  uint64_t address);

#endif
