// SPDX-License-Identifier: GPL-2.0-only
/* The ranges of functions by their symbols. */
#include "elf/function_ranges.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "elf/elf_symbols.h"

/* Whether the symbol may have a function's range of its own. */
static bool is_function(const Elf64_Sym *symbol)
{
	return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_size && symbol->st_name;
}

int function_ranges_read(struct function_ranges *ranges, struct elf_file *file)
{
	uint32_t type = elf_file_section_of(file, SHT_SYMTAB) ? SHT_SYMTAB : SHT_DYNSYM;
	size_t capacity = 0;
	Elf64_Sym symbol;

	*ranges = (struct function_ranges){ 0 };
	elf_symbols_find(&ranges->table, file, type);
	for (size_t i = 0; elf_symbols_get(&ranges->table, file, i, &symbol); i++) {
		struct function_range *items;

		if (!is_function(&symbol))
			continue;
		items = array_reserve(ranges->items, ranges->count, &capacity, sizeof(*items));
		if (!items)
			return -ENOMEM;
		ranges->items = items;
		items[ranges->count++] =
			(struct function_range){ symbol.st_value, symbol.st_size, symbol.st_name };
	}
	return array_sort(ranges->items, ranges->count, sizeof(*ranges->items));
}

void function_ranges_clear(struct function_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct function_ranges){ 0 };
}

static bool is_cold(const struct function_ranges *ranges, struct elf_file *file,
		    const struct function_range *range)
{
	char name[ELF_NAME_MAX];

	elf_symbols_copy_name(&ranges->table, file, range->name, name);
	return strstr(name, ".cold");
}

const struct function_range *function_ranges_find(const struct function_ranges *ranges, struct elf_file *file,
						  uint64_t address)
{
	/* No range begins at the last address there is, above which this is 0. */
	size_t left = array_count_below(ranges->items, ranges->count, sizeof(*ranges->items), address + 1);
	const struct function_range *range = left ? &ranges->items[left - 1] : NULL;

	return range && address - range->start < range->size && !is_cold(ranges, file, range) ? range : NULL;
}
