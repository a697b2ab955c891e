/* SPDX-License-Identifier: GPL-2.0-only */
/* What ELF files have packed: sections by zlib, and a whole file of symbols by xz. What unpacks to too much is nothing. */
#ifndef SCALER_ELF_ELF_UNPACK_H
#define SCALER_ELF_ELF_UNPACK_H

#include <stdbool.h>

#include "elf/elf_file.h"

#define ELF_UNPACKED_MAX (64 << 20) /* bytes */

/* Whether a section of debug information is packed, as its flags or its old name (.zdebug_*) say. */
bool elf_is_packed(const struct elf_file *file, const Elf64_Shdr *section);

/* Unpacks such a section. Nothing if it is not packed by zlib. Returns 0 or -ENOMEM; the caller frees the bytes. */
int elf_unpack_section(struct elf_file *file, const Elf64_Shdr *section, struct elf_bytes *unpacked);

/*
 * Opens the file of symbols in .gnu_debugdata ("MiniDebugInfo"). Returns 0, -ENOENT if there is none that can be
 * unpacked, or another negative errno; there is something to close after 0 only.
 */
int elf_unpack_file(struct elf_file *file, struct elf_file *unpacked);

#endif
