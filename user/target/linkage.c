// SPDX-License-Identifier: GPL-2.0-only
/* The functions among an ELF file's dynamic symbols: what it exports, what it imports. */
#include "target/linkage.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "target/symbol_versions.h"

#ifdef __x86_64__
#define NATIVE_MACHINE EM_X86_64
#define CALL_SLOT      R_X86_64_JUMP_SLOT
#define ADDRESS_SLOT   R_X86_64_GLOB_DAT
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#define CALL_SLOT      R_AARCH64_JUMP_SLOT
#define ADDRESS_SLOT   R_AARCH64_GLOB_DAT
#endif

/* So many words of a hash chain are read at once. */
#define CHAIN_WORDS 1024

#define INTERPRETER_LIMIT 4096

/* The entries of the dynamic section that matter; 0: not there. */
struct dynamic {
	uint64_t symbols;
	uint64_t strings;
	uint64_t strings_size;
	uint64_t hash;
	uint64_t gnu_hash;
	uint64_t relocations[2]; /* those at the start, and those of calls, which may be left for later */
	uint64_t relocations_size[2];
	struct symbol_version_tables versions;
};

struct reading {
	struct linkage *linkage;
	Elf *elf;
	struct dynamic dynamic;
	const Elf64_Sym *symbols; /* libelf's */
	size_t symbol_count;
	size_t strings_size;
	uint64_t *slots; /* owned; by symbol: where a relocation puts its address; 0: none does */
	struct symbol_versions versions;
};

static const void *read_at(const struct reading *reading, uint64_t address, Elf_Type type, size_t *size)
{
	return elf_segments_read_at(&reading->linkage->segments, reading->elf, address, type, size);
}

static uint64_t *find_place(struct dynamic *dynamic, int64_t tag)
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
		return &dynamic->versions.indexes;
	case DT_VERDEF:
		return &dynamic->versions.defined;
	case DT_VERNEED:
		return &dynamic->versions.needed;
	}
	return NULL;
}

static void read_dynamic(struct reading *reading, const GElf_Phdr *header)
{
	Elf_Data *data =
		elf_getdata_rawchunk(reading->elf, (int64_t)header->p_offset, header->p_filesz, ELF_T_DYN);
	const Elf64_Dyn *entries = data ? data->d_buf : NULL;
	size_t count = entries ? data->d_size / sizeof(*entries) : 0;

	for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++) {
		uint64_t *place = find_place(&reading->dynamic, entries[i].d_tag);

		if (place)
			*place = entries[i].d_un.d_val;
	}
}

static int read_interpreter(struct reading *reading, const GElf_Phdr *header)
{
	Elf_Data *data;

	if (header->p_filesz > INTERPRETER_LIMIT || reading->linkage->interpreter)
		return 0;
	data = elf_getdata_rawchunk(reading->elf, (int64_t)header->p_offset, header->p_filesz, ELF_T_BYTE);
	if (!data)
		return 0;
	reading->linkage->interpreter = strndup(data->d_buf, data->d_size);
	return reading->linkage->interpreter ? 0 : -ENOMEM;
}

static int read_headers(struct reading *reading)
{
	size_t count;
	int err = elf_segments_read(&reading->linkage->segments, reading->elf);

	if (elf_getphdrnum(reading->elf, &count))
		return err;
	for (size_t i = 0; i < count && !err; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(reading->elf, (int)i, &header))
			continue;
		if (header.p_type == PT_DYNAMIC)
			read_dynamic(reading, &header);
		else if (header.p_type == PT_INTERP)
			err = read_interpreter(reading, &header);
	}
	return err;
}

/* The end of a chain has its lowest bit set. Returns the number behind the chain's last symbol, or 0. */
static uint64_t follow_chain(const struct reading *reading, uint64_t chains, uint64_t symbol, uint64_t first)
{
	for (;;) {
		size_t size = CHAIN_WORDS * sizeof(uint32_t);
		const uint32_t *words =
			read_at(reading, chains + (symbol - first) * sizeof(*words), ELF_T_WORD, &size);
		size_t count = words ? size / sizeof(*words) : 0;

		if (!count)
			return 0;
		for (size_t i = 0; i < count; i++) {
			if (words[i] & 1)
				return symbol + i + 1;
		}
		symbol += count;
	}
}

/* The hash table, for which symbols are sorted by bucket, says how many there are only by its last chain. */
static uint64_t count_by_gnu_hash(const struct reading *reading)
{
	uint64_t table = reading->dynamic.gnu_hash, buckets;
	size_t size = 4 * sizeof(uint32_t);
	const uint32_t *header = read_at(reading, table, ELF_T_WORD, &size), *items;
	uint32_t last = 0;

	if (!header || size < 4 * sizeof(uint32_t))
		return 0;
	buckets = table + size + (uint64_t)header[2] * sizeof(uint64_t);
	size = (size_t)header[0] * sizeof(uint32_t);
	items = read_at(reading, buckets, ELF_T_WORD, &size);
	for (size_t i = 0; items && i < size / sizeof(*items); i++)
		last = items[i] > last ? items[i] : last;
	if (!items || last < header[1])
		return header[1];
	return follow_chain(reading, buckets + (uint64_t)header[0] * sizeof(*items), last, header[1]);
}

static uint64_t count_by_hash(const struct reading *reading)
{
	size_t size = 2 * sizeof(uint32_t);
	const uint32_t *header = read_at(reading, reading->dynamic.hash, ELF_T_WORD, &size);

	return header && size == 2 * sizeof(uint32_t) ? header[1] : 0;
}

static const Elf64_Rela *read_relocations(const struct reading *reading, int table, size_t *count)
{
	size_t size = reading->dynamic.relocations_size[table];
	const Elf64_Rela *items = NULL;

	if (reading->dynamic.relocations[table])
		items = read_at(reading, reading->dynamic.relocations[table], ELF_T_RELA, &size);
	*count = items ? size / sizeof(*items) : 0;
	return items;
}

/* A file that exports nothing may not say how many symbols it has; those that matter have relocations. */
static uint64_t count_by_relocations(const struct reading *reading)
{
	uint64_t last = 0;

	for (int table = 0; table < 2; table++) {
		size_t count;
		const Elf64_Rela *items = read_relocations(reading, table, &count);

		for (size_t i = 0; i < count; i++) {
			if (ELF64_R_SYM(items[i].r_info) > last)
				last = ELF64_R_SYM(items[i].r_info);
		}
	}
	return last + 1;
}

static void read_symbols(struct reading *reading)
{
	uint64_t count = count_by_relocations(reading), counts[2] = { 0 };
	size_t size;

	if (reading->dynamic.gnu_hash)
		counts[0] = count_by_gnu_hash(reading);
	if (reading->dynamic.hash)
		counts[1] = count_by_hash(reading);
	for (int i = 0; i < 2; i++)
		count = counts[i] > count ? counts[i] : count;
	if (!reading->dynamic.symbols || count > SIZE_MAX / sizeof(*reading->symbols))
		return;
	size = count * sizeof(*reading->symbols);
	reading->symbols = read_at(reading, reading->dynamic.symbols, ELF_T_SYM, &size);
	reading->symbol_count = reading->symbols ? size / sizeof(*reading->symbols) : 0;
}

/* A copy, which outlives the file, with a NUL behind it. */
static int read_strings(struct reading *reading)
{
	size_t size = reading->dynamic.strings_size;
	const void *strings = NULL;

	if (reading->dynamic.strings)
		strings = read_at(reading, reading->dynamic.strings, ELF_T_BYTE, &size);
	reading->strings_size = strings ? size : 0;
	reading->linkage->strings = calloc(1, reading->strings_size + 1);
	if (!reading->linkage->strings)
		return -ENOMEM;
	if (strings)
		memcpy(reading->linkage->strings, strings, size);
	return 0;
}

/* Where relocations put the addresses of symbols. */
static int find_slots(struct reading *reading)
{
	reading->slots = calloc(reading->symbol_count + 1, sizeof(*reading->slots));
	if (!reading->slots)
		return -ENOMEM;
	for (int table = 0; table < 2; table++) {
		size_t count;
		const Elf64_Rela *items = read_relocations(reading, table, &count);

		for (size_t i = 0; i < count; i++) {
			uint64_t symbol = ELF64_R_SYM(items[i].r_info);

			if (symbol && symbol < reading->symbol_count && !items[i].r_addend)
				reading->slots[symbol] = items[i].r_offset;
		}
	}
	return 0;
}

bool linkage_is_code(const struct linkage *linkage, uint64_t address)
{
	const struct elf_segment *segment = elf_segments_find(&linkage->segments, address);

	return segment && segment->executable;
}

static void add_export(struct reading *reading, size_t i, const char *name)
{
	const Elf64_Sym *symbol = &reading->symbols[i];
	struct linkage *linkage = reading->linkage;
	unsigned int type = ELF64_ST_TYPE(symbol->st_info);

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || !linkage_is_code(linkage, symbol->st_value) ||
	    ELF64_ST_BIND(symbol->st_info) == STB_LOCAL || symbol_versions_is_local(&reading->versions, i))
		return;
	linkage->exports[linkage->export_count++] = (struct linkage_export){
		.name = name,
		.version = symbol_versions_name(&reading->versions, i),
		.address = type == STT_FUNC ? symbol->st_value : 0,
		.resolver = type == STT_FUNC ? 0 : symbol->st_value,
		.is_default = !symbol_versions_is_hidden(&reading->versions, i),
	};
}

/* A function of its own that has a relocation is one too: another file's may take its place. */
static void add_import(struct reading *reading, size_t i, const char *name)
{
	const Elf64_Sym *symbol = &reading->symbols[i];
	struct linkage *linkage = reading->linkage;
	unsigned int type = ELF64_ST_TYPE(symbol->st_info);

	if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) ||
	    (symbol->st_shndx != SHN_UNDEF && !reading->slots[i]))
		return;
	linkage->imports[linkage->import_count++] = (struct linkage_import){
		.name = name,
		.version = symbol_versions_name(&reading->versions, i),
		.slot = reading->slots[i],
	};
}

static int compare_slots(const void *left, const void *right)
{
	const struct linkage_slot *a = left, *b = right;

	return array_order(a->address, b->address);
}

static void add_slots(struct reading *reading, const Elf64_Rela *items, size_t count)
{
	struct linkage *linkage = reading->linkage;

	for (size_t i = 0; i < count; i++) {
		uint64_t symbol = ELF64_R_SYM(items[i].r_info), type = ELF64_R_TYPE(items[i].r_info);
		size_t name = symbol < reading->symbol_count ? reading->symbols[symbol].st_name : 0;

		if ((type != CALL_SLOT && type != ADDRESS_SLOT) || !name || name >= reading->strings_size)
			continue;
		linkage->slots[linkage->slot_count++] = (struct linkage_slot){
			.address = items[i].r_offset,
			.name = linkage->strings + name,
			.version = symbol_versions_name(&reading->versions, symbol),
		};
	}
}

static int read_slots(struct reading *reading)
{
	const Elf64_Rela *items[2];
	size_t counts[2];

	for (int table = 0; table < 2; table++)
		items[table] = read_relocations(reading, table, &counts[table]);
	reading->linkage->slots = calloc(counts[0] + counts[1] + 1, sizeof(*reading->linkage->slots));
	if (!reading->linkage->slots)
		return -ENOMEM;
	for (int table = 0; table < 2; table++)
		add_slots(reading, items[table], counts[table]);
	qsort(reading->linkage->slots, reading->linkage->slot_count, sizeof(*reading->linkage->slots),
	      compare_slots);
	return 0;
}

static int sort_symbols(struct reading *reading)
{
	struct linkage *linkage = reading->linkage;

	linkage->exports = calloc(reading->symbol_count + 1, sizeof(*linkage->exports));
	linkage->imports = calloc(reading->symbol_count + 1, sizeof(*linkage->imports));
	if (!linkage->exports || !linkage->imports)
		return -ENOMEM;
	for (size_t i = 1; i < reading->symbol_count; i++) {
		const Elf64_Sym *symbol = &reading->symbols[i];

		if (symbol->st_name >= reading->strings_size || !linkage->strings[symbol->st_name])
			continue;
		if (symbol->st_shndx != SHN_UNDEF)
			add_export(reading, i, linkage->strings + symbol->st_name);
		add_import(reading, i, linkage->strings + symbol->st_name);
	}
	return 0;
}

static int read_file(struct reading *reading)
{
	struct linkage *linkage = reading->linkage;
	int err = read_headers(reading);

	if (err)
		return err;
	read_symbols(reading);
	err = read_strings(reading) ?: find_slots(reading);
	if (!err)
		err = symbol_versions_read(&reading->versions, &reading->dynamic.versions, &linkage->segments,
					   reading->elf, reading->symbol_count, linkage->strings,
					   reading->strings_size + 1);
	if (!err)
		err = sort_symbols(reading) ?: read_slots(reading);
	symbol_versions_clear(&reading->versions);
	free(reading->slots);
	return err;
}

/* -ENOTSUP also for those of 32 bits, which run on our machine but not by our conventions. */
static int check_machine(Elf *elf)
{
	GElf_Ehdr header;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return -ENOEXEC;
	if (gelf_getclass(elf) != ELFCLASS64 || header.e_machine != NATIVE_MACHINE)
		return -ENOTSUP;
	return header.e_ident[EI_DATA] == ELFDATA2LSB ? 0 : -ENOTSUP;
}

int linkage_read(struct linkage *linkage, int fd)
{
	struct reading reading = { .linkage = linkage };
	int err;

	*linkage = (struct linkage){ 0 };
	elf_version(EV_CURRENT);
	reading.elf = elf_begin(fd, ELF_C_READ, NULL);
	err = check_machine(reading.elf);
	if (!err)
		err = read_file(&reading);
	elf_end(reading.elf);
	return err;
}

void linkage_clear(struct linkage *linkage)
{
	free(linkage->exports);
	free(linkage->imports);
	free(linkage->slots);
	free(linkage->interpreter);
	free(linkage->strings);
	elf_segments_clear(&linkage->segments);
	*linkage = (struct linkage){ 0 };
}

/* As the dynamic linker: who has no versions is taken for any, and who asks for none gets the default. */
bool linkage_matches(const struct linkage_export *function, const char *name, const char *version)
{
	if (strcmp(function->name, name))
		return false;
	if (!*version)
		return function->is_default;
	return !*function->version || !strcmp(function->version, version);
}

const struct linkage_slot *linkage_find_slot(const struct linkage *linkage, uint64_t address)
{
	const struct linkage_slot wanted = { .address = address };

	return linkage->slot_count ?
		       bsearch(&wanted, linkage->slots, linkage->slot_count, sizeof(wanted), compare_slots) :
		       NULL;
}
