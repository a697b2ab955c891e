// SPDX-License-Identifier: GPL-2.0-only
/* The functions among an ELF file's dynamic symbols: what it exports, what it imports. */
#include "elf/linkage.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "elf/elf_dynamic.h"
#include "elf/elf_file.h"
#include "elf/elf_symbols.h"
#include "elf/symbol_versions.h"

#ifdef __x86_64__
#define NATIVE_MACHINE EM_X86_64
#define CALL_SLOT      R_X86_64_JUMP_SLOT
#define ADDRESS_SLOT   R_X86_64_GLOB_DAT
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#define CALL_SLOT      R_AARCH64_JUMP_SLOT
#define ADDRESS_SLOT   R_AARCH64_GLOB_DAT
#endif

#define INTERPRETER_LIMIT 4096

struct reading {
	struct linkage *linkage;
	struct elf_file file;
	struct elf_dynamic dynamic;
	struct elf_bytes relocations[2];
	struct elf_bytes symbols;
	size_t symbol_count;
	uint64_t *slots; /* owned; by symbol: where a relocation puts its address; 0: none does */
	struct symbol_versions versions;
};

static int read_interpreter(struct reading *reading)
{
	const Elf64_Phdr *header = elf_file_segment_of(&reading->file, PT_INTERP);
	struct elf_bytes loaded;
	int err;

	if (!header || header->p_filesz > INTERPRETER_LIMIT)
		return 0;
	err = elf_file_load(&reading->file, header->p_offset, header->p_filesz, &loaded);
	reading->linkage->interpreter = (char *)loaded.bytes;
	return err;
}

static int read_relocations(struct reading *reading)
{
	const struct elf_dynamic *dynamic = &reading->dynamic;
	int err = 0;

	for (int table = 0; table < 2 && !err; table++)
		err = elf_file_load_at(&reading->file, dynamic->relocations[table],
				       dynamic->relocations_size[table], &reading->relocations[table]);
	return err;
}

static const Elf64_Rela *relocations(const struct reading *reading, int table, size_t *count)
{
	*count = reading->relocations[table].size / sizeof(Elf64_Rela);
	return (const Elf64_Rela *)reading->relocations[table].bytes;
}

/* A file that exports nothing may not say how many symbols it has; those that matter have relocations. */
static uint64_t count_by_relocations(const struct reading *reading)
{
	uint64_t last = 0;

	for (int table = 0; table < 2; table++) {
		size_t count;
		const Elf64_Rela *items = relocations(reading, table, &count);

		for (size_t i = 0; i < count; i++) {
			if (ELF64_R_SYM(items[i].r_info) > last)
				last = ELF64_R_SYM(items[i].r_info);
		}
	}
	return last + 1;
}

static int read_symbols(struct reading *reading)
{
	uint64_t count = elf_dynamic_count(&reading->dynamic, &reading->file);
	uint64_t used = count_by_relocations(reading);
	int err;

	count = used > count ? used : count;
	if (count > ELF_DYNAMIC_SYMBOLS_MAX)
		count = ELF_DYNAMIC_SYMBOLS_MAX;
	err = elf_file_load_at(&reading->file, reading->dynamic.symbols, count * sizeof(Elf64_Sym),
			       &reading->symbols);
	reading->symbol_count = reading->symbols.size / sizeof(Elf64_Sym);
	return err;
}

static const Elf64_Sym *symbol_at(const struct reading *reading, size_t i)
{
	return (const Elf64_Sym *)reading->symbols.bytes + i;
}

/* They outlive the file; with a NUL behind them. */
static int read_strings(struct reading *reading)
{
	uint64_t size = reading->dynamic.strings_size;
	struct elf_bytes strings;
	int err = elf_file_load_at(&reading->file, reading->dynamic.strings,
				   size < ELF_STRINGS_MAX ? size : ELF_STRINGS_MAX, &strings);

	reading->linkage->strings = (char *)strings.bytes;
	reading->linkage->strings_size = strings.size;
	return err;
}

/* Where relocations put the addresses of symbols. */
static int find_slots(struct reading *reading)
{
	reading->slots = calloc(reading->symbol_count + 1, sizeof(*reading->slots));
	if (!reading->slots)
		return -ENOMEM;
	for (int table = 0; table < 2; table++) {
		size_t count;
		const Elf64_Rela *items = relocations(reading, table, &count);

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

/* NULL: it has none, or one that is too long to be a function's. */
static const char *find_name(const struct reading *reading, size_t at)
{
	const char *name = reading->linkage->strings + at;

	return at < reading->linkage->strings_size && *name && strnlen(name, ELF_NAME_MAX) < ELF_NAME_MAX ?
		       name :
		       NULL;
}

static void add_export(struct reading *reading, size_t i, const char *name)
{
	const Elf64_Sym *symbol = symbol_at(reading, i);
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
	const Elf64_Sym *symbol = symbol_at(reading, i);
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
		const char *name = symbol < reading->symbol_count ?
					   find_name(reading, symbol_at(reading, symbol)->st_name) :
					   NULL;

		if ((type != CALL_SLOT && type != ADDRESS_SLOT) || !name)
			continue;
		linkage->slots[linkage->slot_count++] = (struct linkage_slot){
			.address = items[i].r_offset,
			.name = name,
			.version = symbol_versions_name(&reading->versions, symbol),
		};
	}
}

static int read_slots(struct reading *reading)
{
	const Elf64_Rela *items[2];
	size_t counts[2];

	for (int table = 0; table < 2; table++)
		items[table] = relocations(reading, table, &counts[table]);
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
		const Elf64_Sym *symbol = symbol_at(reading, i);

		const char *name = find_name(reading, symbol->st_name);

		if (!name)
			continue;
		if (symbol->st_shndx != SHN_UNDEF)
			add_export(reading, i, name);
		add_import(reading, i, name);
	}
	return 0;
}

static int read_versions(struct reading *reading)
{
	const struct symbol_names names = { reading->linkage->strings, reading->linkage->strings_size };

	return symbol_versions_read(&reading->versions, &reading->dynamic, &reading->file,
				    reading->symbol_count, &names);
}

/* -ENOTSUP also for those of 32 bits, which run on our machine but not by our conventions. */
static int read_file(struct reading *reading)
{
	if (!reading->file.is_64_bit || reading->file.machine != NATIVE_MACHINE)
		return -ENOTSUP;
	return elf_segments_read(&reading->linkage->segments, &reading->file) ?:
		       elf_dynamic_read(&reading->dynamic, &reading->file)    ?:
		       read_interpreter(reading)                              ?:
		       read_relocations(reading)                              ?:
		       read_symbols(reading)                                  ?:
		       read_strings(reading)                                  ?:
		       find_slots(reading)                                    ?:
		       read_versions(reading)                                 ?:
		       sort_symbols(reading)                                  ?:
										read_slots(reading);
}

int linkage_read(struct linkage *linkage, int fd)
{
	struct reading reading = { .linkage = linkage };
	int err;

	*linkage = (struct linkage){ 0 };
	err = elf_file_open(&reading.file, fd);
	if (err)
		return err == -ENOMEM ? err : -ENOEXEC;
	err = read_file(&reading);
	symbol_versions_clear(&reading.versions, &reading.file);
	free(reading.slots);
	elf_file_unload(&reading.file, &reading.symbols);
	for (int table = 0; table < 2; table++)
		elf_file_unload(&reading.file, &reading.relocations[table]);
	elf_file_close(&reading.file);
	return err;
}

void linkage_clear(struct linkage *linkage)
{
	for (size_t i = 0; i < linkage->export_count; i++)
		free(linkage->exports[i].readable);
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
