// SPDX-License-Identifier: GPL-2.0-only
/* Where indirect functions are. */
#include "target/indirect.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/kernel_file.h"
#include "target/component.h"
#include "target/foreign_file.h"

bool indirect_is_left(const struct linkage *linkage)
{
	for (size_t i = 0; i < linkage->export_count; i++) {
		if (!linkage->exports[i].address && !linkage->exports[i].is_elsewhere)
			return true;
	}
	return false;
}

static bool is_same_file(const char *path, const struct scaler_component *component)
{
	__u8 build_id[SCALER_BUILD_ID_SIZE];
	int fd = foreign_file_open(AT_FDCWD, path, FOREIGN_ANYWHERE);
	bool is_same;

	if (fd < 0)
		return false;
	is_same = component_read_build_id(fd, build_id) &&
		  !memcmp(build_id, component->build_id, sizeof(build_id));
	close(fd);
	return is_same;
}

/* Our own dynamic linker's answer, by the library that it has loaded. */
static void ask_linker(struct linked_file *file, struct linkage_export *function, void *library,
		       uint64_t bias)
{
	void *found = *function->version ? dlvsym(library, function->name, function->version) :
					   dlsym(library, function->name);
	uint64_t address = (uint64_t)found - bias;

	if (found && linkage_is_code(&file->linkage, address))
		function->address = address;
	else
		function->is_elsewhere = found;
}

static int resolve_in_library(struct dl_phdr_info *info, size_t size, void *context)
{
	struct linked_file *file = context;
	void *library;

	(void)size;
	if (!info->dlpi_name || !*info->dlpi_name || !is_same_file(info->dlpi_name, &file->component))
		return 0;
	library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
	for (size_t i = 0; library && i < file->linkage.export_count; i++) {
		struct linkage_export *function = &file->linkage.exports[i];

		if (!function->address)
			ask_linker(file, function, library, info->dlpi_addr);
	}
	if (library)
		dlclose(library);
	return 1;
}

void indirect_resolve_here(struct linked_file *file)
{
	if (component_has_build_id(&file->component))
		dl_iterate_phdr(resolve_in_library, file);
}

/* The address in an import's slot, by the file's own numbers, if the file has code there. */
static uint64_t read_slot(int memory, uint64_t slot, const struct linked_file *file)
{
	uint64_t address;

	if (pread(memory, &address, sizeof(address), (off_t)slot) != sizeof(address))
		return 0;
	address -= file->bias;
	return linkage_is_code(&file->linkage, address) ? address : 0;
}

#define VERSIONS_MAX 64 /* of one function */

/* Exports of a file whose addresses are not known, by name. */
struct unresolved {
	struct linked_file *file;
	struct linkage_export **exports; /* owned */
	size_t count;
};

static int compare_exports(const void *left, const void *right)
{
	const struct linkage_export *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

static int find_unresolved(struct unresolved *unresolved, struct linked_file *file)
{
	struct linkage *linkage = &file->linkage;

	*unresolved = (struct unresolved){
		.file = file,
		.exports = calloc(linkage->export_count + 1, sizeof(struct linkage_export *)),
	};
	if (!unresolved->exports)
		return -ENOMEM;
	for (size_t i = 0; i < linkage->export_count; i++) {
		if (!linkage->exports[i].address && !linkage->exports[i].is_elsewhere)
			unresolved->exports[unresolved->count++] = &linkage->exports[i];
	}
	qsort(unresolved->exports, unresolved->count, sizeof(struct linkage_export *), compare_exports);
	return 0;
}

/* The first of that name or of one behind it. */
static size_t find_name(const struct unresolved *unresolved, const char *name)
{
	size_t low = 0, high = unresolved->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(unresolved->exports[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void resolve_by_importer(const struct unresolved *unresolved, const struct linked_file *importer,
				int memory)
{
	for (size_t i = 0; i < importer->linkage.import_count; i++) {
		const struct linkage_import *import = &importer->linkage.imports[i];
		size_t at = import->slot ? find_name(unresolved, import->name) : unresolved->count;

		/* A function has one for each of its versions. */
		for (size_t end = at + VERSIONS_MAX; at < end && at < unresolved->count &&
						     !strcmp(unresolved->exports[at]->name, import->name);
		     at++) {
			struct linkage_export *function = unresolved->exports[at];

			/* Before the first call a slot may lead to the importer's own code: not this file's. */
			if (!function->address && linkage_matches(function, import->name, import->version))
				function->address =
					read_slot(memory, importer->bias + import->slot, unresolved->file);
		}
	}
}

void indirect_resolve_there(const struct linked_files *files, size_t index)
{
	struct linked_file *file = &files->items[index];
	int memory = kernel_file_open(O_RDONLY, "/proc/%u/mem", file->component.tgid);

	struct unresolved unresolved;

	if (memory < 0)
		return;
	if (find_unresolved(&unresolved, file))
		goto close;
	for (size_t i = 0; i < files->count; i++) {
		/* Biases are those of the process that a file was found in. Its own slots may lead anywhere in it. */
		if (i != index && files->items[i].is_placed &&
		    files->items[i].component.tgid == file->component.tgid)
			resolve_by_importer(&unresolved, &files->items[i], memory);
	}
	free(unresolved.exports);
close:
	close(memory);
}
