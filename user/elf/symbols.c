// SPDX-License-Identifier: GPL-2.0-only
/* The functions and variables of an ELF file by name. */
#include "elf/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "elf/debug_link.h"
#include "elf/demangle.h"
#include "elf/elf_symbols.h"
#include "elf/elf_unpack.h"

static size_t leading_underscores(const char *name)
{
	return strspn(name, "_");
}

int symbol_compare_names(const char *a, const char *b)
{
	size_t underscores_a = leading_underscores(a), underscores_b = leading_underscores(b);
	size_t length_a = strnlen(a, ELF_NAME_MAX), length_b = strnlen(b, ELF_NAME_MAX);

	if (underscores_a != underscores_b)
		return underscores_a < underscores_b ? -1 : 1;
	if (length_a != length_b)
		return length_a < length_b ? -1 : 1;
	return strncmp(a, b, ELF_NAME_MAX);
}

char *symbol_name(const struct symbol *symbol)
{
	size_t length = strnlen(symbol->name, ELF_NAME_MAX);

	return (length < ELF_NAME_MAX ? demangle(symbol->name) : NULL) ?: strndup(symbol->name, length);
}

static int compare_symbols(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->is_local != b->is_local && leading_underscores(a->name) == leading_underscores(b->name))
		return a->is_local ? 1 : -1;
	return symbol_compare_names(a->name, b->name);
}

static int add_symbol(struct symbol_list *list, const Elf64_Sym *symbol, uint64_t address, const char *name)
{
	struct symbol *items = array_reserve(list->items, list->count, &list->capacity, sizeof(*items));

	if (!items)
		return -ENOMEM;
	list->items = items;
	items[list->count++] = (struct symbol){ address, symbol->st_size, name,
						ELF64_ST_BIND(symbol->st_info) == STB_LOCAL };
	return 0;
}

/* That some tables append. */
static void cut_version(char *name)
{
	char *version = memchr(name, '@', strnlen(name, ELF_NAME_MAX));

	if (version)
		*version = '\0';
}

/* bias: how much higher the addresses in that file are. */
static int add_table(struct symbols *symbols, struct elf_file *file, const struct elf_symbols *table,
		     uint64_t bias)
{
	Elf64_Sym symbol;
	int err = 0;

	for (size_t i = 1; !err && elf_symbols_get(table, file, i, &symbol); i++) {
		char *name = symbol.st_shndx == SHN_UNDEF ? NULL : elf_symbols_name(table, &symbol);

		if (name)
			cut_version(name);
		if (!name || !*name)
			continue;
		/* An indirect function's symbol is its resolver. */
		if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
			err = add_symbol(&symbols->functions, &symbol, symbol.st_value - bias, name);
		else if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT)
			err = add_symbol(&symbols->variables, &symbol, symbol.st_value - bias, name);
	}
	return err;
}

/* Takes the table's names over. */
static int take_table(struct symbols *symbols, enum symbol_source source, struct elf_file *file,
		      struct elf_symbols *table, uint64_t bias)
{
	int err = elf_symbols_load_names(table, file);

	symbols->names[source] = (char *)table->names.bytes;
	return err ?: add_table(symbols, file, table, bias);
}

/* Of a file that has the symbols that were taken out of this one. */
static int read_debug_file(struct symbols *symbols, struct elf_file *debug)
{
	struct elf_symbols table;

	elf_symbols_find(&table, debug, SHT_SYMTAB);
	return take_table(symbols, SYMBOLS_OF_CODE, debug, &table, debug_link_bias(&symbols->file, debug));
}

/* .symtab, the debug file's, or the one that is packed in the file. */
static int read_code_symbols(struct symbols *symbols, int debug_fd)
{
	struct elf_file debug;
	int err;

	if (elf_file_section_of(&symbols->file, SHT_SYMTAB))
		return read_debug_file(symbols, &symbols->file);
	err = debug_fd < 0 ? -ENOENT : elf_file_open(&debug, debug_fd);
	if (err && err != -ENOMEM)
		err = elf_unpack_file(&symbols->file, &debug);
	if (err)
		return err == -ENOMEM ? err : 0;
	err = read_debug_file(symbols, &debug);
	elf_file_close(&debug);
	return err;
}

/* .dynsym, or where section headers were stripped what the dynamic linker finds. */
static int read_dynamic_symbols(struct symbols *symbols)
{
	struct elf_dynamic dynamic;
	struct elf_symbols table;
	int err;

	if (elf_file_section_of(&symbols->file, SHT_DYNSYM)) {
		elf_symbols_find(&table, &symbols->file, SHT_DYNSYM);
	} else {
		err = elf_dynamic_read(&dynamic, &symbols->file);
		if (err)
			return err;
		elf_symbols_find_dynamic(&table, &symbols->file, &dynamic,
					 elf_dynamic_count(&dynamic, &symbols->file));
	}
	return take_table(symbols, SYMBOLS_OF_LINKER, &symbols->file, &table, 0);
}

/* And keeps the best name of each address. */
static void sort_symbols(struct symbol_list *list)
{
	struct symbol *items = list->items;
	size_t kept = 0;

	if (!list->count)
		return;
	qsort(items, list->count, sizeof(*items), compare_symbols);
	for (size_t i = 1; i < list->count; i++) {
		if (items[i].address != items[kept].address)
			items[++kept] = items[i];
		else if (items[i].size > items[kept].size)
			items[kept].size = items[i].size;
	}
	list->count = kept + 1;
}

int symbols_find_debug_link(int fd, struct debug_link *link)
{
	struct elf_file file;
	int err = elf_file_open(&file, fd);

	if (err)
		return err == -ENOMEM ? err : -ENOEXEC;
	if (elf_file_section_of(&file, SHT_SYMTAB))
		err = -ENOENT;
	else
		debug_link_read(link, &file);
	elf_file_close(&file);
	return err;
}

int symbols_read(struct symbols *symbols, int fd, int debug_fd)
{
	int err;

	*symbols = (struct symbols){ 0 };
	err = elf_file_open(&symbols->file, fd);
	if (err)
		return err == -ENOMEM ? err : -ENOEXEC;
	symbols->is_open = true;
	err = elf_segments_read(&symbols->segments, &symbols->file);
	if (!err)
		err = frame_table_open(&symbols->frames, &symbols->file, true);
	if (!err)
		err = read_code_symbols(symbols, debug_fd);
	if (!err)
		err = read_dynamic_symbols(symbols);
	sort_symbols(&symbols->functions);
	sort_symbols(&symbols->variables);
	return err;
}

void symbols_clear(struct symbols *symbols)
{
	free(symbols->functions.items);
	free(symbols->variables.items);
	for (size_t i = 0; i < SYMBOL_SOURCES; i++)
		free(symbols->names[i]);
	frame_table_close(&symbols->frames);
	elf_segments_clear(&symbols->segments);
	if (symbols->is_open)
		elf_file_close(&symbols->file);
	*symbols = (struct symbols){ 0 };
}

bool symbols_find_range(struct symbols *symbols, uint64_t address, struct symbol_range *range)
{
	struct frame_description description;

	if (!frame_table_find(&symbols->frames, &symbols->file, address, &description))
		return false;
	*range = (struct symbol_range){ description.program.start, description.size };
	return true;
}

static const struct symbol *find_symbol(const struct symbol_list *list, uint64_t address)
{
	/* None begins at the last address there is, above which this is 0. */
	size_t left = array_count_below(list->items, list->count, sizeof(*list->items), address + 1);

	/* Functions may lie within others; a few steps down is as deep as that goes. */
	for (size_t steps = 0; left && steps < 16; steps++) {
		const struct symbol *symbol = &list->items[--left];

		if (address - symbol->address < symbol->size || (!steps && !symbol->size))
			return symbol;
	}
	return NULL;
}

const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address)
{
	return find_symbol(&symbols->functions, address);
}

const struct symbol *symbols_find_variable(const struct symbols *symbols, uint64_t address)
{
	return find_symbol(&symbols->variables, address);
}

const struct symbol *symbols_find_caller(struct symbols *symbols, uint64_t address)
{
	const struct symbol *function = symbols_find(symbols, address);
	struct symbol_range range;

	if (function)
		return function;
	/*
	 * Nobody calls a signal's trampoline: the kernel makes the handler return to its first instruction. For those
	 * who look one byte before that, its description begins there, where no call can end.
	 */
	if (symbols_find_range(symbols, address, &range))
		return range.start == address ? symbols_find(symbols, address + 1) : NULL;
	/* Nor does anybody call where a stack made by hand ends: it is a function's first instruction, and before it is none. */
	function = symbols_find(symbols, address + 1);
	return function && function->address == address + 1 ? function : NULL;
}
