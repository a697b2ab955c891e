// SPDX-License-Identifier: GPL-2.0-only
/* Files mapped into the tracer. */
#include "target/file_mappings.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/component.h"

static void map(struct file_mapping *mapping, const struct linked_file *file)
{
	int fd = component_open(&file->component);
	struct stat status;

	if (fd < 0)
		return;
	if (!fstat(fd, &status) && status.st_size > 0) {
		mapping->length = (size_t)status.st_size;
		mapping->address = mmap(NULL, mapping->length, PROT_READ, MAP_PRIVATE, fd, 0);
		if (mapping->address == MAP_FAILED)
			mapping->length = 0;
	}
	close(fd);
}

int file_mappings_make(struct file_mappings *mappings, const struct linked_files *files)
{
	mappings->items = calloc(files->count + 1, sizeof(*mappings->items));
	if (!mappings->items)
		return -ENOMEM;
	mappings->count = files->count;
	for (size_t i = 0; i < files->count; i++)
		map(&mappings->items[i], &files->items[i]);
	return 0;
}

void file_mappings_clear(struct file_mappings *mappings)
{
	for (size_t i = 0; i < mappings->count; i++) {
		if (mappings->items[i].length)
			munmap(mappings->items[i].address, mappings->items[i].length);
	}
	free(mappings->items);
	*mappings = (struct file_mappings){ 0 };
}
