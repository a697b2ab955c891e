/* SPDX-License-Identifier: GPL-2.0-only */
/* The versions of an ELF file's dynamic symbols, by the GNU extensions' tables. The file is not trusted. */
#ifndef SCALER_ELF_SYMBOL_VERSIONS_H
#define SCALER_ELF_SYMBOL_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_dynamic.h"
#include "elf/elf_file.h"

struct symbol_versions {
	struct elf_bytes indexes; /* of 16 bits, by symbol; none: no symbol has a version */
	const char **names;       /* owned, not the names; by index, NULL: none */
};

struct symbol_names {
	const char *bytes; /* with a NUL behind them */
	size_t size;
};

/*
 * Reads the versions of that number of symbols, whose names are the caller's and outlive them. Returns 0 or -ENOMEM; the caller
 * clears them in both cases, before the file is closed.
 */
int symbol_versions_read(struct symbol_versions *versions, const struct elf_dynamic *dynamic,
			 struct elf_file *file, size_t symbol_count, const struct symbol_names *names);
void symbol_versions_clear(struct symbol_versions *versions, struct elf_file *file);

/* A symbol's version, or "". */
const char *symbol_versions_name(const struct symbol_versions *versions, size_t symbol);

/* Nobody else may refer to it. */
bool symbol_versions_is_local(const struct symbol_versions *versions, size_t symbol);

/* Only those refer to it who ask for its version. */
bool symbol_versions_is_hidden(const struct symbol_versions *versions, size_t symbol);

#endif
