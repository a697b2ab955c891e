/* SPDX-License-Identifier: GPL-2.0-only */
/* The versions of an ELF file's dynamic symbols, by the GNU extensions' tables. The file is not trusted. */
#ifndef SCALER_TARGET_SYMBOL_VERSIONS_H
#define SCALER_TARGET_SYMBOL_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "target/elf_segments.h"

/* Where the tables are, as the dynamic section has it; 0: there is none. */
struct symbol_version_tables {
	uint64_t indexes;
	uint64_t defined;
	uint64_t needed;
};

struct symbol_versions {
	const uint16_t *indexes; /* by symbol; libelf's; NULL: no symbol has a version */
	size_t index_count;
	const char **names; /* owned, not the names; by index, NULL: none */
};

/*
 * Reads the versions of so many symbols; names are in strings, whose last byte of strings_size is a NUL. Returns 0
 * or -ENOMEM; the caller clears them in both cases, before the file is closed.
 */
int symbol_versions_read(struct symbol_versions *versions, const struct symbol_version_tables *tables,
			 const struct elf_segments *segments, Elf *elf, size_t symbol_count,
			 const char *strings, size_t strings_size);
void symbol_versions_clear(struct symbol_versions *versions);

/* A symbol's version, or "". */
const char *symbol_versions_name(const struct symbol_versions *versions, size_t symbol);

/* Nobody else may refer to it. */
bool symbol_versions_is_local(const struct symbol_versions *versions, size_t symbol);

/* Only those refer to it who ask for its version. */
bool symbol_versions_is_hidden(const struct symbol_versions *versions, size_t symbol);

#endif
