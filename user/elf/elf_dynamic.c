// SPDX-License-Identifier: GPL-2.0-only
/* The entries of PT_DYNAMIC that matter, and what hash tables tell. */
#include "elf/elf_dynamic.h"

#include <errno.h>
#include <stddef.h>

#include "base/array.h"

#define DYNAMIC_MAX (64 << 10) /* bytes */

static uint64_t *find_place(struct elf_dynamic *dynamic, int64_t tag)
{
	switch (tag) {
	case DT_SYMTAB:
		return &dynamic->symbols;
	case DT_STRTAB:
		return &dynamic->strings;
	case DT_STRSZ:
		return &dynamic->strings_size;
	case DT_HASH:
		return &dynamic->hash;
	case DT_GNU_HASH:
		return &dynamic->gnu_hash;
	case DT_RELA:
		return &dynamic->relocations[0];
	case DT_RELASZ:
		return &dynamic->relocations_size[0];
	case DT_JMPREL:
		return &dynamic->relocations[1];
	case DT_PLTRELSZ:
		return &dynamic->relocations_size[1];
	case DT_VERSYM:
		return &dynamic->version_indexes;
	case DT_VERDEF:
		return &dynamic->versions_defined;
	case DT_VERNEED:
		return &dynamic->versions_needed;
	}
	return NULL;
}

/* Returns the entry's tag. */
static int64_t read_entry(struct elf_dynamic *dynamic, const struct elf_file *file, const void *bytes)
{
	const Elf32_Dyn *narrow = bytes;
	const Elf64_Dyn *wide = bytes;
	int64_t tag = file->is_64_bit ? wide->d_tag : narrow->d_tag;
	uint64_t *place = find_place(dynamic, tag);

	if (place)
		*place = file->is_64_bit ? wide->d_un.d_val : narrow->d_un.d_val;
	return tag;
}

int elf_dynamic_read(struct elf_dynamic *dynamic, struct elf_file *file)
{
	size_t size = file->is_64_bit ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
	const Elf64_Phdr *header = elf_file_segment_of(file, PT_DYNAMIC);
	struct elf_bytes loaded;
	int err;

	*dynamic = (struct elf_dynamic){ 0 };
	if (!header)
		return 0;
	err = elf_file_load(file, header->p_offset,
			    header->p_filesz < DYNAMIC_MAX ? header->p_filesz : DYNAMIC_MAX, &loaded);
	for (size_t i = 0; i < loaded.size / size; i++) {
		if (read_entry(dynamic, file, loaded.bytes + i * size) == DT_NULL)
			break;
	}
	elf_file_unload(file, &loaded);
	return err;
}

/* A table of words that is mapped to an address. */
struct words {
	uint64_t offset; /* in the file */
	uint64_t count;  /* as many as may be there */
};

static struct words find_words(const struct elf_file *file, uint64_t address)
{
	const Elf64_Phdr *segment = elf_file_segment(file, address);
	uint64_t into = segment ? address - segment->p_vaddr : 0;

	return segment ? (struct words){ segment->p_offset + into,
					 (segment->p_filesz - into) / sizeof(uint32_t) } :
			 (struct words){ 0 };
}

/* False: the file does not have it. */
static bool copy_word(struct elf_file *file, const struct words *words, uint64_t i, uint32_t *word)
{
	return i < words->count &&
	       elf_file_copy(file, words->offset + i * sizeof(*word), word, sizeof(*word));
}

/* The end of a chain has its lowest bit set. Returns the number behind the chain's last symbol, or 0. */
static uint64_t follow_chain(struct elf_file *file, const struct words *chains, uint64_t symbol,
			     uint64_t first)
{
	uint32_t word;

	while (symbol < ELF_DYNAMIC_SYMBOLS_MAX && copy_word(file, chains, symbol - first, &word)) {
		symbol++;
		if (word & 1)
			return symbol;
	}
	return 0;
}

/* The hash table, for which symbols are sorted by bucket, says how many there are only by its last chain. */
static uint64_t count_by_gnu_hash(const struct elf_dynamic *dynamic, struct elf_file *file)
{
	struct words table = find_words(file, dynamic->gnu_hash), buckets, chains;
	uint64_t filter_word = file->is_64_bit ? sizeof(uint64_t) : sizeof(uint32_t), address;
	uint32_t header[4], word, last = 0;

	for (size_t i = 0; i < ARRAY_SIZE(header); i++) {
		if (!copy_word(file, &table, i, &header[i]))
			return 0;
	}
	address = dynamic->gnu_hash + sizeof(header) + header[2] * filter_word;
	buckets = find_words(file, address);
	for (uint64_t i = 0; i < header[0] && i < ELF_DYNAMIC_SYMBOLS_MAX; i++) {
		if (!copy_word(file, &buckets, i, &word))
			break;
		last = word > last ? word : last;
	}
	if (last < header[1])
		return header[1];
	chains = find_words(file, address + header[0] * (uint64_t)sizeof(word));
	return follow_chain(file, &chains, last, header[1]);
}

/* Its chains have a word for each symbol. */
static uint64_t count_by_hash(const struct elf_dynamic *dynamic, struct elf_file *file)
{
	struct words table = find_words(file, dynamic->hash);
	uint32_t count;

	return copy_word(file, &table, 1, &count) ? count : 0;
}

uint64_t elf_dynamic_count(const struct elf_dynamic *dynamic, struct elf_file *file)
{
	uint64_t count = 0, other = 0;

	if (dynamic->gnu_hash)
		count = count_by_gnu_hash(dynamic, file);
	if (dynamic->hash)
		other = count_by_hash(dynamic, file);
	count = other > count ? other : count;
	return count < ELF_DYNAMIC_SYMBOLS_MAX ? count : ELF_DYNAMIC_SYMBOLS_MAX;
}
