// SPDX-License-Identifier: GPL-2.0-only
/* The functions and variables of an ELF file by name, read with libdw, which also finds the debug file. */
#include "target/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "base/array.h"
#include "target/debug_servers.h"
#include "target/elf_module.h"

static size_t leading_underscores(const char *name)
{
	return strspn(name, "_");
}

int symbol_compare_names(const char *a, const char *b)
{
	size_t underscores_a = leading_underscores(a), underscores_b = leading_underscores(b);
	size_t length_a = strlen(a), length_b = strlen(b);

	if (underscores_a != underscores_b)
		return underscores_a < underscores_b ? -1 : 1;
	if (length_a != length_b)
		return length_a < length_b ? -1 : 1;
	return strcmp(a, b);
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

static int add_symbol(struct symbol_list *list, const GElf_Sym *symbol, uint64_t address, const char *name)
{
	struct symbol *items = array_reserve(list->items, list->count, &list->capacity, sizeof(*items));
	/* Without the version that some tables append. */
	char *copy = strndup(name, strcspn(name, "@"));

	if (items)
		list->items = items;
	if (!items || !copy) {
		free(copy);
		return -ENOMEM;
	}
	items[list->count++] =
		(struct symbol){ address, symbol->st_size, copy, GELF_ST_BIND(symbol->st_info) == STB_LOCAL };
	return 0;
}

static int read_table(struct symbols *symbols, const struct elf_module *module)
{
	int count = dwfl_module_getsymtab(module->module), err = 0;

	/* Below 0: it has no table that can be read. */
	for (int i = 1; i < count && !err; i++) {
		GElf_Addr address;
		GElf_Sym symbol;
		const char *name =
			dwfl_module_getsym_info(module->module, i, &symbol, &address, NULL, NULL, NULL);

		if (!name || !*name || symbol.st_shndx == SHN_UNDEF)
			continue;
		/* An indirect function's symbol is its resolver. */
		if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
			err = add_symbol(&symbols->functions, &symbol, address - module->bias, name);
		else if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT)
			err = add_symbol(&symbols->variables, &symbol, address - module->bias, name);
	}
	return err;
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
		if (items[i].address != items[kept].address) {
			items[++kept] = items[i];
			continue;
		}
		if (items[i].size > items[kept].size)
			items[kept].size = items[i].size;
		free(items[i].name);
	}
	list->count = kept + 1;
}

int symbols_read(struct symbols *symbols, int fd, const char *name, const char *folder,
		 struct patient_work *work)
{
	struct elf_module module;
	char *debug_path;
	int err;

	*symbols = (struct symbols){ 0 };
	/* libdwfl's own places and one more. */
	if (asprintf(&debug_path, ":.debug:%s%s/usr/lib/debug", folder ?: "", folder ? ":" : "") < 0)
		return -ENOMEM;
	err = elf_module_open(&module, fd, name, debug_path);
	if (!err && work)
		debug_servers_watch(module.dwfl, work);
	if (!err)
		err = elf_segments_read(&symbols->segments, module.elf);
	if (!err)
		err = function_ranges_read_frames(&symbols->ranges, module.elf);
	if (!err)
		err = read_table(symbols, &module);
	sort_symbols(&symbols->functions);
	sort_symbols(&symbols->variables);
	elf_module_close(&module);
	free(debug_path);
	return err;
}

static void clear_list(struct symbol_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].name);
	free(list->items);
}

void symbols_clear(struct symbols *symbols)
{
	clear_list(&symbols->functions);
	clear_list(&symbols->variables);
	function_ranges_clear(&symbols->ranges);
	elf_segments_clear(&symbols->segments);
	*symbols = (struct symbols){ 0 };
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

const struct symbol *symbols_find_caller(const struct symbols *symbols, uint64_t address)
{
	const struct symbol *function = symbols_find(symbols, address);
	const struct function_range *range;

	if (function)
		return function;
	/*
	 * Nobody calls a signal's trampoline: the kernel makes the handler return to its first instruction. For those
	 * who look one byte before that, its description begins there, where no call can end.
	 */
	range = function_ranges_find(&symbols->ranges, address);
	if (range)
		return range->start == address ? symbols_find(symbols, address + 1) : NULL;
	/* Nor does anybody call where a stack made by hand ends: it is a function's first instruction, and before it is none. */
	function = symbols_find(symbols, address + 1);
	return function && function->address == address + 1 ? function : NULL;
}
