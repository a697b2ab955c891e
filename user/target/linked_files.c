// SPDX-License-Identifier: GPL-2.0-only
/* The ELF files of processes and programs. */
#include "target/linked_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/array.h"
#include "parser/code.h"
#include "target/component.h"
#include "target/indirect.h"
#include "target/process_maps.h"

/* What tells files from each other. */
struct file_key {
	uint64_t inode;
	uint64_t device;
};

struct known_key {
	struct file_key key;
	size_t file; /* its number */
};

static struct file_key file_key(const struct scaler_component_key *key)
{
	return (struct file_key){ key->inode, key->device };
}

static struct known_key *known_key(const struct linked_files *files, size_t index)
{
	return &((struct known_key *)files->keys.items)[index];
}

/* The file with that number is known by that key, unless another one is. Returns 0 or -ENOMEM. */
static int add_key(struct linked_files *files, const struct scaler_component_key *key, size_t number)
{
	const struct file_key bytes = file_key(key);
	size_t before = files->keys.count;
	size_t index = distinct_add(&files->keys, &bytes, sizeof(bytes), sizeof(struct known_key));

	if (index == SIZE_MAX)
		return -ENOMEM;
	if (index == before)
		known_key(files, index)->file = number;
	return 0;
}

struct linked_file *linked_files_find(const struct linked_files *files,
				      const struct scaler_component_key *key)
{
	const struct file_key wanted = file_key(key);
	size_t index = distinct_find(&files->keys, &wanted, sizeof(wanted), sizeof(struct known_key));

	return index < files->keys.count ? &files->items[known_key(files, index)->file] : NULL;
}

static bool read_mapped_key(const struct linked_files *files, int fd, struct scaler_component_key *key)
{
	return fd >= 0 && files->read_mapped_key &&
	       files->read_mapped_key(files->mapped_key_context, fd, key);
}

struct linked_file *linked_files_find_mapped(const struct linked_files *files,
					     const struct scaler_component *component)
{
	struct linked_file *file = linked_files_find(files, &component->key);
	struct scaler_component_key key;
	int fd;

	if (file || !files->read_mapped_key)
		return file;
	fd = component_open(component);
	if (read_mapped_key(files, fd, &key))
		file = linked_files_find(files, &key);
	if (fd >= 0)
		close(fd);
	return file;
}

/* The file that is known by the second key, or a new one, all zeros but for that; known by both. NULL: no memory. */
static struct linked_file *add_keys(struct linked_files *files, const struct scaler_component_key *seen,
				    const struct scaler_component_key *mapped)
{
	struct linked_file *items =
		array_reserve(files->items, files->count, &files->capacity, sizeof(*items));
	struct linked_file *file;
	size_t number;

	if (!items)
		return NULL;
	files->items = items;
	file = linked_files_find(files, mapped);
	if (!file) {
		file = &items[files->count];
		*file = (struct linked_file){ .mapped = *mapped };
	}
	number = (size_t)(file - items);
	return add_key(files, mapped, number) || add_key(files, seen, number) ? NULL : file;
}

/* One that is not known by its key, though it may be by another. */
static struct linked_file *add_file(struct linked_files *files, const struct scaler_component *component)
{
	struct scaler_component_key mapped = component->key;
	int fd = component_open(component);
	struct linked_file *file;

	if (!read_mapped_key(files, fd, &mapped))
		mapped = component->key;
	file = add_keys(files, &component->key, &mapped);
	if (file == &files->items[files->count]) {
		files->count++;
		file->component = *component;
		file->error = fd < 0 ? fd : 0;
		if (fd >= 0) {
			component_read_build_id(fd, file->component.build_id);
			file->error = parser_read_linkage(parser_shared(), fd, &file->linkage);
		}
	}
	if (fd >= 0)
		close(fd);
	return file;
}

bool linked_file_has_process(const struct linked_file *file, pid_t pid)
{
	/* Most likely the latest: a file has several mappings in each. */
	for (size_t i = file->process_count; i > 0; i--) {
		if (file->processes[i - 1] == pid)
			return true;
	}
	return false;
}

static int add_process(struct linked_file *file, pid_t pid)
{
	pid_t *processes;

	if (linked_file_has_process(file, pid))
		return 0;
	processes = array_reserve(file->processes, file->process_count, &file->process_capacity,
				  sizeof(*processes));
	if (!processes)
		return -ENOMEM;
	file->processes = processes;
	processes[file->process_count++] = pid;
	return 0;
}

static int add_mapping(struct linked_files *files, const struct process_mapping *mapping, pid_t pid)
{
	struct linked_file *file = linked_files_find(files, &mapping->component.key);
	uint64_t address;

	file = file ?: add_file(files, &mapping->component);
	if (!file)
		return -ENOMEM;
	if (!file->is_placed && elf_segments_address(&file->linkage.segments, mapping->offset, &address)) {
		/* The component is that which the bias is of. */
		file->component.tgid = mapping->component.tgid;
		file->bias = mapping->component.start - address;
		file->is_placed = true;
	}
	return file->error == -ENOMEM ? -ENOMEM : add_process(file, pid);
}

int linked_files_add_process(struct linked_files *files, pid_t pid)
{
	struct process_maps maps;
	int err = process_maps_read(&maps, pid);

	for (size_t i = 0; i < maps.count && !err; i++) {
		if (maps.mappings[i].component.key.device)
			err = add_mapping(files, &maps.mappings[i], pid);
	}
	process_maps_clear(&maps);
	return err;
}

int linked_files_add_component(struct linked_files *files, const struct scaler_component *component,
			       pid_t pid)
{
	struct linked_file *file = linked_files_find(files, &component->key);

	file = file ?: add_file(files, component);
	return file && file->error != -ENOMEM ? add_process(file, pid) : -ENOMEM;
}

int linked_files_add_path(struct linked_files *files, const char *path)
{
	struct scaler_component component = { 0 };
	char *absolute = realpath(path, NULL);
	const struct linked_file *file;
	struct stat status;
	int err;

	if (!absolute || stat(absolute, &status)) {
		err = -errno;
		free(absolute);
		return err;
	}
	component.key.inode = status.st_ino;
	component.key.device = major(status.st_dev) << 20 | minor(status.st_dev);
	kernel_path_set(&component.path, absolute);
	free(absolute);
	if (linked_files_find(files, &component.key))
		return 0;
	file = add_file(files, &component);
	return file ? file->error : -ENOMEM;
}

void linked_files_forget_process(struct linked_files *files, pid_t pid)
{
	for (size_t i = 0; i < files->count; i++) {
		struct linked_file *file = &files->items[i];
		size_t kept = 0;

		for (size_t j = 0; j < file->process_count; j++) {
			if (file->processes[j] != pid)
				file->processes[kept++] = file->processes[j];
		}
		file->process_count = kept;
	}
}

void linked_files_resolve(struct linked_files *files, size_t first)
{
	for (size_t i = first; i < files->count; i++) {
		if (indirect_is_left(&files->items[i].linkage))
			indirect_resolve_here(&files->items[i]);
		if (indirect_is_left(&files->items[i].linkage) && files->items[i].is_placed)
			indirect_resolve_there(files, i);
	}
}

void linked_files_clear(struct linked_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		linkage_clear(&files->items[i].linkage);
		free(files->items[i].processes);
	}
	free(files->items);
	distinct_clear(&files->keys);
	*files = (struct linked_files){ 0 };
}
