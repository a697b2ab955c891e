/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the functions of an ELF file lie, whether they have symbols or not: the ranges that the descriptions in
 * its .eh_frame are of. The file is not trusted: what is wrong in it costs ranges, no more.
 */
#ifndef SCALER_TARGET_FRAME_RANGES_H
#define SCALER_TARGET_FRAME_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

struct frame_range {
	uint64_t start; /* first, for array_count_below(); as the file numbers its own addresses */
	uint64_t size;
};

struct frame_ranges {
	struct frame_range *items; /* owned; by start */
	size_t count;
};

/* Returns 0, also for a file without any, or -ENOMEM, with nothing to clear. */
int frame_ranges_read(struct frame_ranges *ranges, Elf *elf);
void frame_ranges_clear(struct frame_ranges *ranges);

/* The range around that address, or NULL. */
const struct frame_range *frame_ranges_find(const struct frame_ranges *ranges, uint64_t address);

#endif
