/* SPDX-License-Identifier: GPL-2.0-only */
/* Which parts of an ELF file are mapped, and at which of the addresses that the file numbers its code by. */
#ifndef SCALER_TARGET_ELF_SEGMENTS_H
#define SCALER_TARGET_ELF_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

struct elf_segment {
	uint64_t offset;
	uint64_t size;
	uint64_t address;
};

struct elf_segments {
	struct elf_segment *items; /* owned */
	size_t count;
	size_t capacity;
};

/* Returns 0, also for a file without any, or -ENOMEM. The caller clears them in both cases. */
int elf_segments_read(struct elf_segments *segments, Elf *elf);
void elf_segments_clear(struct elf_segments *segments);

/* The file's own address of what is at that offset in it; false if it maps no such part. */
bool elf_segments_address(const struct elf_segments *segments, uint64_t file_offset, uint64_t *address);

#endif
