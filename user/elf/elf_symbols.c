// SPDX-License-Identifier: GPL-2.0-only
/* Symbols are read one by one, since most tables are far larger than what is wanted of them. */
#include "elf/elf_symbols.h"

#include <errno.h>
#include <string.h>

static size_t entry_size(const struct elf_file *file)
{
	return file->is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

static int load_names(struct elf_symbols *symbols, struct elf_file *file, uint64_t offset, uint64_t size)
{
	return elf_file_load(file, offset, size < ELF_STRINGS_MAX ? size : ELF_STRINGS_MAX, &symbols->names);
}

static void set_count(struct elf_symbols *symbols, uint64_t count)
{
	symbols->count = count < ELF_SYMBOLS_MAX ? count : ELF_SYMBOLS_MAX;
}

int elf_symbols_load(struct elf_symbols *symbols, struct elf_file *file, uint32_t type)
{
	const Elf64_Shdr *table = elf_file_section_of(file, type), *names;

	*symbols = (struct elf_symbols){ 0 };
	if (!table || table->sh_link >= file->section_count)
		return 0;
	names = &file->sections[table->sh_link];
	if (names->sh_type != SHT_STRTAB)
		return 0;
	symbols->offset = table->sh_offset;
	set_count(symbols, table->sh_size / entry_size(file));
	return load_names(symbols, file, names->sh_offset, names->sh_size);
}

int elf_symbols_load_dynamic(struct elf_symbols *symbols, struct elf_file *file,
			     const struct elf_dynamic *dynamic, uint64_t count)
{
	uint64_t names;

	*symbols = (struct elf_symbols){ 0 };
	if (!dynamic->symbols || !elf_file_offset(file, dynamic->symbols, &symbols->offset) ||
	    !elf_file_offset(file, dynamic->strings, &names))
		return 0;
	set_count(symbols, count);
	return load_names(symbols, file, names, dynamic->strings_size);
}

void elf_symbols_unload(struct elf_symbols *symbols, struct elf_file *file)
{
	elf_file_unload(file, &symbols->names);
	*symbols = (struct elf_symbols){ 0 };
}

bool elf_symbols_get(const struct elf_symbols *symbols, struct elf_file *file, size_t i, Elf64_Sym *symbol)
{
	uint64_t offset = symbols->offset + i * entry_size(file);
	Elf32_Sym narrow;

	if (i >= symbols->count)
		return false;
	if (file->is_64_bit)
		return elf_file_copy(file, offset, symbol, sizeof(*symbol));
	if (!elf_file_copy(file, offset, &narrow, sizeof(narrow)))
		return false;
	*symbol = (Elf64_Sym){ narrow.st_name,  narrow.st_info,  narrow.st_other,
			       narrow.st_shndx, narrow.st_value, narrow.st_size };
	return true;
}

char *elf_symbols_name(const struct elf_symbols *symbols, const Elf64_Sym *symbol)
{
	char *name = (char *)symbols->names.bytes + symbol->st_name;

	/* There is a NUL behind them. */
	return symbol->st_name < symbols->names.size && *name ? name : NULL;
}
