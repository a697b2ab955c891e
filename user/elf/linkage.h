/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an ELF file gives to others and takes from them: the functions among its dynamic symbols. Read as the
 * dynamic linker reads it, by PT_DYNAMIC alone, so that files without section headers are no exception. The file
 * is not trusted: whatever is wrong in it costs symbols, no more.
 */
#ifndef SCALER_ELF_LINKAGE_H
#define SCALER_ELF_LINKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_segments.h"

/* Addresses are those by which the file numbers itself. */
struct linkage_export {
	const char *name;    /* the linkage's, as is the next; as the compiler has mangled it; not trusted */
	const char *version; /* "": none */
	char *readable;      /* owned; as people have it, once the plan needed it; NULL: the name itself */
	uint64_t address;    /* of the function's first instruction, in an executable segment; 0: not known */
	uint64_t resolver;   /* of an indirect function: what tells the dynamic linker its address; else 0 */
	bool is_elsewhere;   /* indirect, and stands for code of no file's or of another's: address stays 0 */
	bool is_default;     /* the one that is meant where no version is given */
};

struct linkage_import {
	const char *name;    /* the linkage's, as is the next; not trusted */
	const char *version; /* "": any */
	uint64_t slot;       /* where the dynamic linker puts the function's address; 0: not known */
};

/* A place from which code takes a function's address, and that nobody but the dynamic linker writes to. */
struct linkage_slot {
	uint64_t address;
	const char *name;    /* the linkage's, as is the next; not trusted */
	const char *version; /* "": any */
};

struct linkage {
	struct linkage_export *exports; /* owned; a function has one for each of its names and versions */
	size_t export_count;
	struct linkage_import *imports; /* owned */
	size_t import_count;
	struct linkage_slot *slots; /* owned; by address */
	size_t slot_count;
	char *interpreter; /* owned; the program that loads this one, or NULL; not trusted */
	struct elf_segments segments;
	char *strings; /* owned; ends with a NUL */
	size_t strings_size;
};

/*
 * Reads an open file's. Returns 0, also for a file without any, -ENOEXEC if it is no ELF file that can be read,
 * -ENOTSUP if it is one for another machine than ours, or -ENOMEM. The caller closes the descriptor, and clears
 * the linkage, in all cases.
 */
int linkage_read(struct linkage *linkage, int fd);
void linkage_clear(struct linkage *linkage);

/* The slot there, or NULL. */
const struct linkage_slot *linkage_find_slot(const struct linkage *linkage, uint64_t address);

/* Whether that may be a function's address. */
bool linkage_is_code(const struct linkage *linkage, uint64_t address);

/* Whether a reference by that name and version ("": any) may lead to that export. */
bool linkage_matches(const struct linkage_export *function, const char *name, const char *version);

#endif
