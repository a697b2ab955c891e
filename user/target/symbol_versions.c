// SPDX-License-Identifier: GPL-2.0-only
/* Symbol versions: an index for each symbol, and lists that name the indexes of what is defined and needed. */
#include "target/symbol_versions.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HIDDEN      0x8000
#define INDEX_LIMIT 0x8000

/* Of a list. Far beyond what any linker has written. */
#define LIST_BYTES (1 << 20)

struct list {
	const unsigned char *bytes; /* libelf's */
	size_t size;
	const char *strings;
	size_t strings_size;
	const char **names;
};

static bool take(const struct list *list, size_t at, void *item, size_t item_size)
{
	if (at > list->size || list->size - at < item_size)
		return false;
	memcpy(item, list->bytes + at, item_size);
	return true;
}

static void name_index(const struct list *list, unsigned int index, uint64_t name)
{
	if (name < list->strings_size)
		list->names[index & (INDEX_LIMIT - 1)] = list->strings + name;
}

/* Each step of a list goes on, by offsets that are not negative, so that every list ends. */
static void read_defined(const struct list *list)
{
	Elf64_Verdaux name;
	Elf64_Verdef entry;

	for (size_t at = 0; take(list, at, &entry, sizeof(entry)); at += entry.vd_next) {
		/* The first name is the version's own, the others those it inherits from. */
		if (take(list, at + entry.vd_aux, &name, sizeof(name)) && !(entry.vd_flags & VER_FLG_BASE))
			name_index(list, entry.vd_ndx, name.vda_name);
		if (!entry.vd_next)
			return;
	}
}

static void read_needed(const struct list *list)
{
	size_t budget = list->size / sizeof(Elf64_Vernaux);
	Elf64_Verneed entry;
	Elf64_Vernaux name;

	for (size_t at = 0; take(list, at, &entry, sizeof(entry)); at += entry.vn_next) {
		/* Lists that overlap could be as long as the square of the table. */
		for (size_t aux = at + entry.vn_aux; budget && take(list, aux, &name, sizeof(name));
		     aux += name.vna_next) {
			budget--;
			name_index(list, name.vna_other, name.vna_name);
			if (!name.vna_next)
				break;
		}
		if (!entry.vn_next)
			return;
	}
}

int symbol_versions_read(struct symbol_versions *versions, const struct symbol_version_tables *tables,
			 const struct elf_segments *segments, Elf *elf, size_t symbol_count,
			 const char *strings, size_t strings_size)
{
	size_t size = symbol_count * sizeof(*versions->indexes);
	struct list list = { .strings = strings, .strings_size = strings_size };

	*versions = (struct symbol_versions){ 0 };
	if (!tables->indexes)
		return 0;
	versions->names = calloc(INDEX_LIMIT, sizeof(*versions->names));
	if (!versions->names)
		return -ENOMEM;
	versions->indexes = elf_segments_read_at(segments, elf, tables->indexes, ELF_T_HALF, &size);
	versions->index_count = versions->indexes ? size / sizeof(*versions->indexes) : 0;
	list.names = versions->names;
	list.size = LIST_BYTES;
	list.bytes = elf_segments_read_at(segments, elf, tables->defined, ELF_T_BYTE, &list.size);
	if (tables->defined && list.bytes)
		read_defined(&list);
	list.size = LIST_BYTES;
	list.bytes = elf_segments_read_at(segments, elf, tables->needed, ELF_T_BYTE, &list.size);
	if (tables->needed && list.bytes)
		read_needed(&list);
	return 0;
}

void symbol_versions_clear(struct symbol_versions *versions)
{
	free(versions->names);
	*versions = (struct symbol_versions){ 0 };
}

const char *symbol_versions_name(const struct symbol_versions *versions, size_t symbol)
{
	const char *name = NULL;

	if (symbol < versions->index_count)
		name = versions->names[versions->indexes[symbol] & (INDEX_LIMIT - 1)];
	return name ?: "";
}

bool symbol_versions_is_local(const struct symbol_versions *versions, size_t symbol)
{
	return symbol < versions->index_count &&
	       (versions->indexes[symbol] & (INDEX_LIMIT - 1)) == VER_NDX_LOCAL;
}

bool symbol_versions_is_hidden(const struct symbol_versions *versions, size_t symbol)
{
	return symbol < versions->index_count && versions->indexes[symbol] & HIDDEN;
}
