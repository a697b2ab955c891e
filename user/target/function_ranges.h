/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the functions of an ELF file lie: the ranges that the descriptions in its .eh_frame are of, whether they have
 * symbols or not, or those of its symbols. The file is not trusted: what is wrong in it costs ranges, no more.
 */
#ifndef SCALER_TARGET_FUNCTION_RANGES_H
#define SCALER_TARGET_FUNCTION_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

struct function_range {
	uint64_t start; /* first, for array_count_below(); as the file numbers its own addresses */
	uint64_t size;
};

struct function_ranges {
	struct function_range *items; /* owned; by start */
	size_t count;
};

/* Both return 0, also for a file without any, or -ENOMEM, with nothing to clear. */
int function_ranges_read_frames(struct function_ranges *ranges, Elf *elf);
/*
 * Those of .symtab, else .dynsym; not what compilers take out of a function as seldom executed, NAME.cold: it is jumped to,
 * with the frame of the rest.
 */
int function_ranges_read_symbols(struct function_ranges *ranges, Elf *elf);
void function_ranges_clear(struct function_ranges *ranges);

/* The range around that address, or NULL. */
const struct function_range *function_ranges_find(const struct function_ranges *ranges, uint64_t address);

#endif
