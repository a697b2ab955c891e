/* SPDX-License-Identifier: GPL-2.0-only */
/* Which parts of an ELF file are mapped, and at which of the addresses that the file numbers its code by. */
#ifndef SCALER_ELF_ELF_SEGMENTS_H
#define SCALER_ELF_ELF_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_file.h"

struct elf_segment {
	uint64_t offset;
	uint64_t size; /* in the file */
	uint64_t memory_size;
	uint64_t address;
	bool executable;
	bool writable;
};

struct elf_segments {
	struct elf_segment *items; /* owned */
	size_t count;
};

/* Returns 0, also for a file without any, or -ENOMEM. The caller clears them in both cases. */
int elf_segments_read(struct elf_segments *segments, const struct elf_file *file);
void elf_segments_clear(struct elf_segments *segments);

/* The file's own address of what is at that offset in it; false if it maps no such part. */
bool elf_segments_address(const struct elf_segments *segments, uint64_t file_offset, uint64_t *address);

/*
 * The same of a variable, for which offsets go on behind the end of what the file has of the memory that it is in:
 * where those lie that begin as zeros.
 */
bool elf_segments_variable(const struct elf_segments *segments, uint64_t file_offset, uint64_t *address);

/* The segment that holds that address of the file's own, or NULL. */
const struct elf_segment *elf_segments_find(const struct elf_segments *segments, uint64_t address);

#endif
