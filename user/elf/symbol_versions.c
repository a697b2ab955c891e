// SPDX-License-Identifier: GPL-2.0-only
/* Symbol versions: an index for each symbol, and lists that name the indexes of what is defined and needed. */
#include "elf/symbol_versions.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HIDDEN      0x8000
#define INDEX_LIMIT 0x8000

/* Of a list. Far beyond what any linker has written. */
#define LIST_BYTES (1 << 20)

struct list {
	struct elf_bytes entries;
	const struct symbol_names *strings;
	const char **names;
};

static bool take(const struct list *list, size_t at, void *item, size_t item_size)
{
	if (at > list->entries.size || list->entries.size - at < item_size)
		return false;
	memcpy(item, list->entries.bytes + at, item_size);
	return true;
}

static void name_index(const struct list *list, unsigned int index, uint64_t name)
{
	if (name < list->strings->size)
		list->names[index & (INDEX_LIMIT - 1)] = list->strings->bytes + name;
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
	size_t budget = list->entries.size / sizeof(Elf64_Vernaux);
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

int symbol_versions_read(struct symbol_versions *versions, const struct elf_dynamic *dynamic,
			 struct elf_file *file, size_t symbol_count, const struct symbol_names *strings)
{
	struct list list = { .strings = strings };
	int err;

	*versions = (struct symbol_versions){ 0 };
	if (!dynamic->version_indexes)
		return 0;
	versions->names = calloc(INDEX_LIMIT, sizeof(*versions->names));
	if (!versions->names)
		return -ENOMEM;
	list.names = versions->names;
	err = elf_file_load_at(file, dynamic->version_indexes, symbol_count * sizeof(uint16_t),
			       &versions->indexes);
	if (!err)
		err = elf_file_load_at(file, dynamic->versions_defined, LIST_BYTES, &list.entries);
	read_defined(&list);
	elf_file_unload(file, &list.entries);
	if (!err)
		err = elf_file_load_at(file, dynamic->versions_needed, LIST_BYTES, &list.entries);
	read_needed(&list);
	elf_file_unload(file, &list.entries);
	return err;
}

void symbol_versions_clear(struct symbol_versions *versions, struct elf_file *file)
{
	elf_file_unload(file, &versions->indexes);
	free(versions->names);
	*versions = (struct symbol_versions){ 0 };
}

/* False: it has none. */
static bool find_index(const struct symbol_versions *versions, size_t symbol, uint16_t *index)
{
	if (symbol >= versions->indexes.size / sizeof(*index))
		return false;
	memcpy(index, versions->indexes.bytes + symbol * sizeof(*index), sizeof(*index));
	return true;
}

const char *symbol_versions_name(const struct symbol_versions *versions, size_t symbol)
{
	uint16_t index;

	return (find_index(versions, symbol, &index) ? versions->names[index & (INDEX_LIMIT - 1)] : NULL) ?:
													    "";
}

bool symbol_versions_is_local(const struct symbol_versions *versions, size_t symbol)
{
	uint16_t index;

	return find_index(versions, symbol, &index) && (index & (INDEX_LIMIT - 1)) == VER_NDX_LOCAL;
}

bool symbol_versions_is_hidden(const struct symbol_versions *versions, size_t symbol)
{
	uint16_t index;

	return find_index(versions, symbol, &index) && index & HIDDEN;
}
