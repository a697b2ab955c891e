// SPDX-License-Identifier: GPL-2.0-only
/* Symbols are read one by one, since most tables are far larger than what is wanted of them. */
#include "elf/elf_symbols.h"

#include <errno.h>
#include <string.h>

static size_t entry_size(const struct elf_file *file)
{
	return file->is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

static void set_table(struct elf_symbols *symbols, uint64_t offset, uint64_t count)
{
	symbols->offset = offset;
	symbols->count = count < ELF_SYMBOLS_MAX ? count : ELF_SYMBOLS_MAX;
}

static void set_names(struct elf_symbols *symbols, uint64_t offset, uint64_t size)
{
	symbols->names_offset = offset;
	symbols->names_size = size < ELF_STRINGS_MAX ? size : ELF_STRINGS_MAX;
}

void elf_symbols_find(struct elf_symbols *symbols, const struct elf_file *file, uint32_t type)
{
	const Elf64_Shdr *table = elf_file_section_of(file, type), *names;

	*symbols = (struct elf_symbols){ 0 };
	if (!table || table->sh_link >= file->section_count)
		return;
	names = &file->sections[table->sh_link];
	if (names->sh_type != SHT_STRTAB)
		return;
	set_table(symbols, table->sh_offset, table->sh_size / entry_size(file));
	set_names(symbols, names->sh_offset, names->sh_size);
}

void elf_symbols_find_dynamic(struct elf_symbols *symbols, const struct elf_file *file,
			      const struct elf_dynamic *dynamic, uint64_t count)
{
	uint64_t table, names;

	*symbols = (struct elf_symbols){ 0 };
	if (!dynamic->symbols || !elf_file_offset(file, dynamic->symbols, &table) ||
	    !elf_file_offset(file, dynamic->strings, &names))
		return;
	set_table(symbols, table, count);
	set_names(symbols, names, dynamic->strings_size);
}

int elf_symbols_load_names(struct elf_symbols *symbols, struct elf_file *file)
{
	return elf_file_load(file, symbols->names_offset, symbols->names_size, &symbols->names);
}

void elf_symbols_copy_name(const struct elf_symbols *symbols, struct elf_file *file, uint64_t at,
			   char name[ELF_NAME_MAX])
{
	uint64_t size = at < symbols->names_size ? symbols->names_size - at : 0;

	if (size > ELF_NAME_MAX - 1)
		size = ELF_NAME_MAX - 1;
	if (!elf_file_copy(file, symbols->names_offset + at, name, size))
		size = 0;
	name[size] = '\0';
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
