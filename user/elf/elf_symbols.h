/* SPDX-License-Identifier: GPL-2.0-only */
/* A symbol table of an ELF file, of which single symbols are read, and the names, which are kept. Not trusted. */
#ifndef SCALER_ELF_SYMBOLS_H
#define SCALER_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_dynamic.h"
#include "elf/elf_file.h"

/* What is read of one table; what is beyond has no names. */
#define ELF_SYMBOLS_MAX (2 << 20)
#define ELF_STRINGS_MAX (96 << 20) /* bytes of all names */
#define ELF_NAME_MAX    4096       /* bytes of one, which is cut */

struct elf_symbols {
	uint64_t offset; /* in the file */
	size_t count;
	struct elf_bytes names; /* owned */
};

/*
 * Loads the names of the table in the first section of that type; of the dynamic linker's table, of which there are as
 * many symbols as the caller knows. Both return 0, also for a file without any, or -ENOMEM. They are unloaded in all cases,
 * unless the caller has taken the names.
 */
int elf_symbols_load(struct elf_symbols *symbols, struct elf_file *file, uint32_t type);
int elf_symbols_load_dynamic(struct elf_symbols *symbols, struct elf_file *file,
			     const struct elf_dynamic *dynamic, uint64_t count);
void elf_symbols_unload(struct elf_symbols *symbols, struct elf_file *file);

/* False: it cannot be read. */
bool elf_symbols_get(const struct elf_symbols *symbols, struct elf_file *file, size_t i, Elf64_Sym *symbol);

/*
 * The symbol's name, one of the names; NULL: it has none. Of one that is longer than ELF_NAME_MAX no more is looked at; many
 * symbols may have all the same.
 */
char *elf_symbols_name(const struct elf_symbols *symbols, const Elf64_Sym *symbol);

#endif
