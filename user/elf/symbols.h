/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions and variables of an ELF file by name: from .symtab, else that of its debug file, and
 * .dynsym. The file is not trusted: whatever is wrong in it costs symbols, no more.
 */
#ifndef SCALER_ELF_SYMBOLS_H
#define SCALER_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/debug_link.h"
#include "elf/elf_file.h"
#include "elf/elf_segments.h"
#include "elf/frame_table.h"

struct symbol {
	uint64_t address; /* first, for array_count_below(); as the file numbers its own addresses */
	uint64_t size;    /* 0: not known, up to the next one */
	const char *name; /* the symbols'; as the compiler has mangled it; not trusted: see symbol_name() */
	bool is_local;
};

struct symbol_list {
	struct symbol *items; /* owned; by address, one for each address */
	size_t count;
	size_t capacity;
};

/* A function's code, whether it has a name or not. */
struct symbol_range {
	uint64_t start;
	uint64_t size;
};

enum symbol_source {
	SYMBOLS_OF_CODE,   /* .symtab */
	SYMBOLS_OF_LINKER, /* .dynsym */
	SYMBOL_SOURCES,
};

struct symbols {
	struct symbol_list functions;
	struct symbol_list variables;
	struct elf_segments segments;
	char *names[SYMBOL_SOURCES]; /* owned */
	bool is_open;
	struct elf_file file; /* owned, if it is open, as are the next */
	struct frame_table frames;
};

/* The link to the debug file, where one is of use. Returns 0, -ENOENT: the file has all symbols itself, -ENOEXEC or -ENOMEM. */
int symbols_find_debug_link(int fd, struct debug_link *link);

/*
 * Reads the symbols of an open file, and of its debug file if debug_fd is one, and not -1. Returns 0, also for a file without
 * any, -ENOEXEC if it is no ELF file that can be read, or -ENOMEM. The caller closes the descriptors, and clears the symbols,
 * in all cases.
 */
int symbols_read(struct symbols *symbols, int fd, int debug_fd);
void symbols_clear(struct symbols *symbols);

/* What of the name is shown, demangled; the caller frees it. NULL without memory. */
char *symbol_name(const struct symbol *symbol);

/* Of two names of one function the one that people use comes first: read, not __libc_read. As strcmp(). */
int symbol_compare_names(const char *a, const char *b);

/* The function around that address, or NULL; the variable. */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);
const struct symbol *symbols_find_variable(const struct symbols *symbols, uint64_t address);

/* The function that a call is in, by the last byte of its instruction; or a signal's trampoline, or NULL. */
const struct symbol *symbols_find_caller(struct symbols *symbols, uint64_t address);

/* The range that is described around that address; false: there is none. */
bool symbols_find_range(struct symbols *symbols, uint64_t address, struct symbol_range *range);

#endif
