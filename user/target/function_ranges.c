// SPDX-License-Identifier: GPL-2.0-only
/* The ranges of functions by their symbols. */
#include "target/function_ranges.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "elf/elf_symbols.h"

static int compare_ranges(const void *left, const void *right)
{
	const struct function_range *a = left, *b = right;

	return array_order(a->start, b->start);
}

/* Whether the symbol has a function's range of its own. */
static bool is_function(const struct elf_symbols *table, const Elf64_Sym *symbol)
{
	static const char cold[] = ".cold";
	const char *name;

	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || !symbol->st_size)
		return false;
	name = elf_symbols_name(table, symbol);
	return name && !memmem(name, strnlen(name, ELF_NAME_MAX), cold, strlen(cold));
}

static int read_table(struct function_ranges *ranges, const struct elf_symbols *table, struct elf_file *file)
{
	size_t capacity = 0;
	Elf64_Sym symbol;

	for (size_t i = 0; elf_symbols_get(table, file, i, &symbol); i++) {
		struct function_range *items;

		if (!is_function(table, &symbol))
			continue;
		items = array_reserve(ranges->items, ranges->count, &capacity, sizeof(*items));
		if (!items)
			return -ENOMEM;
		ranges->items = items;
		items[ranges->count++] = (struct function_range){ symbol.st_value, symbol.st_size };
	}
	if (ranges->count)
		qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
	return 0;
}

int function_ranges_read(struct function_ranges *ranges, struct elf_file *file)
{
	uint32_t type = elf_file_section_of(file, SHT_SYMTAB) ? SHT_SYMTAB : SHT_DYNSYM;
	struct elf_symbols table;
	int err = elf_symbols_load(&table, file, type);

	*ranges = (struct function_ranges){ 0 };
	if (!err)
		err = read_table(ranges, &table, file);
	elf_symbols_unload(&table, file);
	return err;
}

void function_ranges_clear(struct function_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct function_ranges){ 0 };
}

const struct function_range *function_ranges_find(const struct function_ranges *ranges, uint64_t address)
{
	/* No range begins at the last address there is, above which this is 0. */
	size_t left = array_count_below(ranges->items, ranges->count, sizeof(*ranges->items), address + 1);
	const struct function_range *range = left ? &ranges->items[left - 1] : NULL;

	return range && address - range->start < range->size ? range : NULL;
}
