/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tells which debug file belongs to an ELF file: its build-id and its .gnu_debuglink. Source: GDB's manual, "Debugging
 * Information in Separate Files". Neither file is trusted.
 */
#ifndef SCALER_ELF_DEBUG_LINK_H
#define SCALER_ELF_DEBUG_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_file.h"

#define DEBUG_LINK_NAME_MAX 511 /* bytes */

struct debug_link {
	uint8_t build_id[ELF_BUILD_ID_MAX];
	size_t build_id_size;               /* 0: the file has none */
	char name[DEBUG_LINK_NAME_MAX + 1]; /* of the debug file, without a folder; "": not known */
	uint32_t sum;                       /* CRC-32 of the debug file */
};

void debug_link_read(struct debug_link *link, struct elf_file *file);

/* Whether that open file is the debug file: it has the same build-id or, where one of them has none, the sum. */
bool debug_link_matches(const struct debug_link *link, int fd);

/* How much higher the debug file's addresses are than the file's own: prelink moves files afterwards. */
uint64_t debug_link_bias(const struct elf_file *file, const struct elf_file *debug);

#endif
