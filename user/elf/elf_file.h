/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ELF file as bytes and headers, of 64 or 32 bits, little-endian. It is read with pread(), never mapped: one that is
 * truncated meanwhile costs what was to be read, and no signal. Nothing that it says of itself is believed: sizes end
 * where the file does, and counts at the limits below.
 */
#ifndef SCALER_ELF_ELF_FILE_H
#define SCALER_ELF_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is read of one file; what is beyond costs the file that part. */
#define ELF_SEGMENTS_MAX 1170        /* the kernel and the dynamic linker read no more than 64 KiB of them */
#define ELF_SECTIONS_MAX 65535       /* as many as the header can tell of */
#define ELF_NAMES_MAX    (4 << 20)   /* bytes of its sections' names */
#define ELF_NOTES_MAX    (64 << 10)  /* bytes of notes */
#define ELF_LOAD_MAX     (128 << 20) /* bytes of all that is kept in memory at a time */

/* Random reads go through blocks, as most are near each other. */
#define ELF_BLOCK_SIZE  4096
#define ELF_BLOCK_COUNT 256 /* at most; of which a search in the largest tables takes some 150 */

struct elf_block;

/* Bytes in memory of our own. */
struct elf_bytes {
	unsigned char *bytes; /* owned; NULL: none, or no memory for them */
	size_t size;
};

struct elf_file {
	int fd;                  /* owned; -1: it is in memory */
	struct elf_bytes memory; /* owned */
	uint64_t size;           /* bytes, as it was opened */
	bool is_64_bit;
	uint16_t type;    /* ET_EXEC and so on */
	uint16_t machine; /* EM_X86_64 and so on */
	uint64_t entry;
	Elf64_Phdr *segments; /* owned; of 64 bits also in a file of 32, as are the next */
	size_t segment_count;
	Elf64_Shdr *sections; /* owned; none where they were stripped */
	size_t section_count;
	char *names; /* owned; of sections; ends with a NUL */
	size_t names_size;
	struct elf_block **blocks; /* owned, as is each; NULL until they are used */
	uint64_t loaded; /* bytes that elf_file_load() has handed out and that were not given back */
};

/*
 * Opens what is behind a descriptor, which stays the caller's. Returns 0, -ENOEXEC if it is no such ELF file, -ENOMEM, or
 * another negative errno if it cannot be read; there is something to close after 0 only.
 */
int elf_file_open(struct elf_file *file, int fd);

/* The same of one in memory, of which it takes the bytes over, in all cases. */
int elf_file_open_bytes(struct elf_file *file, struct elf_bytes *bytes);

void elf_file_close(struct elf_file *file);

/* Copies all of that part of the file. False: the file does not have it. */
bool elf_file_copy(struct elf_file *file, uint64_t offset, void *bytes, size_t size);

/*
 * Loads that part of the file, or what it has of it: less if it ends before, and nothing if it cannot be read, or if that
 * would be more than ELF_LOAD_MAX with what else is loaded. There is a NUL behind it. Returns 0, or -ENOMEM, and they are
 * given back in both cases.
 */
int elf_file_load(struct elf_file *file, uint64_t offset, uint64_t size, struct elf_bytes *loaded);
/* The same of what is mapped to an address, up to the end of its segment; to 0 there is nothing. */
int elf_file_load_at(struct elf_file *file, uint64_t address, uint64_t size, struct elf_bytes *loaded);
void elf_file_unload(struct elf_file *file, struct elf_bytes *loaded);

/* The first section of that name, or NULL; of that type. Those that take no room in the file are none. */
const Elf64_Shdr *elf_file_section(const struct elf_file *file, const char *name);
const Elf64_Shdr *elf_file_section_of(const struct elf_file *file, uint32_t type);

/* The first header of that type, or NULL. */
const Elf64_Phdr *elf_file_segment_of(const struct elf_file *file, uint32_t type);

/* The segment that has that address in the file, or NULL. */
const Elf64_Phdr *elf_file_segment(const struct elf_file *file, uint64_t address);

/* Where the file has that address; false: nowhere. */
bool elf_file_offset(const struct elf_file *file, uint64_t address, uint64_t *offset);

#define ELF_BUILD_ID_MAX 64 /* bytes; linkers make 8 to 32 */

/* Copies the build-id. Returns its size, or 0: it has none. */
size_t elf_file_build_id(struct elf_file *file, uint8_t build_id[ELF_BUILD_ID_MAX]);

#endif
