// SPDX-License-Identifier: GPL-2.0-only
/* Where indirect functions are. */
#include "target/indirect.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
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

static void resolve_by_importer(struct linked_file *file, const struct linked_file *importer, int memory)
{
	for (size_t i = 0; i < importer->linkage.import_count; i++) {
		const struct linkage_import *import = &importer->linkage.imports[i];

		for (size_t j = 0; import->slot && j < file->linkage.export_count; j++) {
			struct linkage_export *function = &file->linkage.exports[j];

			/* Before the first call a slot may lead to the importer's own code: not this file's. */
			if (!function->address && linkage_matches(function, import->name, import->version))
				function->address = read_slot(memory, importer->bias + import->slot, file);
		}
	}
}

void indirect_resolve_there(const struct linked_files *files, size_t index)
{
	struct linked_file *file = &files->items[index];
	int memory = kernel_file_open(O_RDONLY, "/proc/%u/mem", file->component.tgid);

	if (memory < 0)
		return;
	for (size_t i = 0; i < files->count; i++) {
		/* Biases are those of the process that a file was found in. Its own slots may lead anywhere in it. */
		if (i != index && files->items[i].is_placed &&
		    files->items[i].component.tgid == file->component.tgid)
			resolve_by_importer(file, &files->items[i], memory);
	}
	close(memory);
}
