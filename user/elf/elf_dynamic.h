/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the dynamic linker finds its tables in an ELF file: by PT_DYNAMIC alone, as it does, so that files without section
 * headers are no exception. Sources: System V ABI, chapter 5, and for DT_GNU_HASH binutils, bfd/elflink.c. Not trusted.
 */
#ifndef SCALER_ELF_ELF_DYNAMIC_H
#define SCALER_ELF_ELF_DYNAMIC_H

#include <stdint.h>

#include "elf/elf_file.h"

/* What is read of the symbols: no linker has made more. */
#define ELF_DYNAMIC_SYMBOLS_MAX (1 << 20)

/* Addresses, as the file numbers its own, and sizes in bytes; 0: it has none. */
struct elf_dynamic {
	uint64_t symbols;
	uint64_t strings;
	uint64_t strings_size;
	uint64_t hash;
	uint64_t gnu_hash;
	uint64_t relocations[2]; /* those at the start, and those of calls, which may be left for later */
	uint64_t relocations_size[2];
	uint64_t version_indexes;
	uint64_t versions_defined;
	uint64_t versions_needed;
};

/* Returns 0, also for a file without any, or -ENOMEM. */
int elf_dynamic_read(struct elf_dynamic *dynamic, struct elf_file *file);

/* How many symbols the hash tables say that there are, ELF_DYNAMIC_SYMBOLS_MAX at most; 0: there is no hash table. */
uint64_t elf_dynamic_count(const struct elf_dynamic *dynamic, struct elf_file *file);

#endif
