/* SPDX-License-Identifier: GPL-2.0-only */
/* A symbol table of an ELF file, of which single symbols are read, and the names, which are kept. Not trusted. */
#ifndef SCALER_ELF_ELF_SYMBOLS_H
#define SCALER_ELF_ELF_SYMBOLS_H

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
	uint64_t names_offset;
	uint64_t names_size;
	struct elf_bytes names; /* owned; none until they are loaded */
};

/*
 * Finds the table in the first section of that type; the dynamic linker's table, of which there are as many symbols as the
 * caller knows. A file without any has a table without symbols.
 */
void elf_symbols_find(struct elf_symbols *symbols, const struct elf_file *file, uint32_t type);
void elf_symbols_find_dynamic(struct elf_symbols *symbols, const struct elf_file *file,
			      const struct elf_dynamic *dynamic, uint64_t count);

/* Loads the names. Returns 0 or -ENOMEM. They are unloaded in both cases, unless the caller has taken the names. */
int elf_symbols_load_names(struct elf_symbols *symbols, struct elf_file *file);
void elf_symbols_unload(struct elf_symbols *symbols, struct elf_file *file);

/* False: it cannot be read. */
bool elf_symbols_get(const struct elf_symbols *symbols, struct elf_file *file, size_t i, Elf64_Sym *symbol);

/* Copies a name that is not loaded, by its st_name, and cuts it. "": there is none. */
void elf_symbols_copy_name(const struct elf_symbols *symbols, struct elf_file *file, uint64_t at,
			   char name[ELF_NAME_MAX]);

/*
 * The symbol's name, one of the names; NULL: it has none. Of one that is longer than ELF_NAME_MAX no more is looked at; many
 * symbols may have all the same.
 */
char *elf_symbols_name(const struct elf_symbols *symbols, const Elf64_Sym *symbol);

#endif
