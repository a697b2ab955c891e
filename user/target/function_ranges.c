// SPDX-License-Identifier: GPL-2.0-only
/* The ranges of functions, by their descriptions or symbols. */
#include "target/function_ranges.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "base/array.h"
#include "target/frame_table.h"

static int compare_ranges(const void *left, const void *right)
{
	const struct function_range *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static int read_ranges(struct function_ranges *ranges, const struct frame_table *table)
{
	struct frame_description description;

	ranges->items = calloc(table->count + 1, sizeof(*ranges->items));
	if (!ranges->items)
		return -ENOMEM;
	for (size_t i = 0; i < table->count; i++) {
		if (frame_table_get(table, i, &description))
			ranges->items[ranges->count++] =
				(struct function_range){ description.program.start, description.size };
	}
	/* Linkers have sorted them; who lies has not. */
	qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
	return 0;
}

int function_ranges_read_frames(struct function_ranges *ranges, Elf *elf)
{
	struct frame_table table;
	int err = frame_table_open(&table, elf, true);

	*ranges = (struct function_ranges){ 0 };
	if (!err)
		err = read_ranges(ranges, &table);
	frame_table_close(&table);
	return err;
}

static Elf_Scn *find_section(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return section;
	}
	return NULL;
}

/* Whether the symbol has a function's range of its own. */
static bool is_function(Elf *elf, const GElf_Shdr *table, const GElf_Sym *symbol)
{
	const char *name;

	if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || !symbol->st_size)
		return false;
	name = elf_strptr(elf, table->sh_link, symbol->st_name);
	return name && !strstr(name, ".cold");
}

int function_ranges_read_symbols(struct function_ranges *ranges, Elf *elf)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, SHT_SYMTAB, &header) ?: find_section(elf, SHT_DYNSYM, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	size_t count = data ? data->d_size / sizeof(Elf32_Sym) : 0;
	GElf_Sym symbol;

	*ranges = (struct function_ranges){ 0 };
	ranges->items = calloc(count + 1, sizeof(*ranges->items));
	if (!ranges->items)
		return -ENOMEM;
	for (int i = 0; (size_t)i < count && gelf_getsym(data, i, &symbol); i++) {
		if (is_function(elf, &header, &symbol))
			ranges->items[ranges->count++] =
				(struct function_range){ symbol.st_value, symbol.st_size };
	}
	qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
	return 0;
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
