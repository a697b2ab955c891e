// SPDX-License-Identifier: GPL-2.0-only
/* A living process's mappings, from /proc/PID/maps. */
#include "target/process_maps.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "target/component.h"

#define MINOR_BITS 20 /* include/linux/kdev_t.h */

int process_mapping_parse(struct process_mapping *mapping, char *line)
{
	unsigned long long start, end, offset, inode;
	struct scaler_component *component = &mapping->component;
	unsigned int major, minor;
	char permissions[5];
	int path_at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, permissions, &offset, &major,
		   &minor, &inode, &path_at) < 7 ||
	    !path_at || end <= start)
		return -EINVAL;
	*mapping = (struct process_mapping){ .offset = offset };
	component->start = start;
	component->end = end;
	component->key.device = major << MINOR_BITS | minor;
	component->key.inode = inode;
	if (component->key.device) {
		kernel_path_set(&component->path, line + path_at);
	} else if (!strcmp(line + path_at, "[vdso]")) {
		component->key.inode = SCALER_COMPONENT_VDSO;
	} else if (!strcmp(line + path_at, "[uprobes]")) {
		component->key.inode = SCALER_COMPONENT_UPROBES;
	} else {
		component->key.inode = SCALER_COMPONENT_ANONYMOUS;
		mapping->offset = start;
	}
	return 0;
}

/* What stands behind the addresses: "rwxp". */
typedef bool (*mapping_filter)(const char *permissions);

static bool is_run(const char *permissions)
{
	return permissions[3] == 'x';
}

static bool is_only_read(const char *permissions)
{
	return permissions[2] == '-' && permissions[3] == '-' && permissions[4] == 'p';
}

static int add_line(struct process_maps *maps, char *line, pid_t pid, mapping_filter is_wanted)
{
	struct process_mapping *mappings;
	const char *permissions = strchr(line, ' ');

	if (!permissions || strlen(permissions) < 5 || !is_wanted(permissions))
		return 0;
	mappings = array_reserve(maps->mappings, maps->count, &maps->capacity, sizeof(*mappings));
	if (!mappings)
		return -ENOMEM;
	maps->mappings = mappings;
	if (!process_mapping_parse(&mappings[maps->count], line))
		mappings[maps->count++].component.tgid = (uint32_t)pid;
	return 0;
}

static int read_lines(struct process_maps *maps, pid_t pid, mapping_filter is_wanted)
{
	size_t line_size = 0;
	char *line = NULL;
	char path[32];
	int err = 0;
	FILE *file;

	*maps = (struct process_maps){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (!err && getline(&line, &line_size, file) > 0)
		err = add_line(maps, line, pid, is_wanted);
	if (!err && ferror(file))
		err = -EIO;
	free(line);
	fclose(file);
	return err;
}

int process_maps_read(struct process_maps *maps, pid_t pid)
{
	return read_lines(maps, pid, is_run);
}

int process_maps_read_unrun(struct process_maps *maps, pid_t pid)
{
	return read_lines(maps, pid, is_only_read);
}

void process_maps_clear(struct process_maps *maps)
{
	free(maps->mappings);
	*maps = (struct process_maps){ 0 };
}

const struct process_mapping *process_maps_find(const struct process_maps *maps, uint64_t address)
{
	for (size_t i = 0; i < maps->count; i++) {
		const struct process_mapping *mapping = &maps->mappings[i];

		if (address >= mapping->component.start && address < mapping->component.end)
			return mapping;
	}
	return NULL;
}
