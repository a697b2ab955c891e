// SPDX-License-Identifier: GPL-2.0-only
/* A living process's mappings, from /proc/PID/maps. */
#include "target/process_maps.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/kernel_file.h"
#include "target/component.h"

#define MINOR_BITS 20 /* include/linux/kdev_t.h */

/* What the kernel adds to the name of a file that is in no folder any more, and puts for a newline. */
static const char deleted_mark[] = " (deleted)", newline_mark[] = "\\012";

/* A backslash stands for itself there, so that these four characters may be a file's own. */
static void put_newlines_back(char *path)
{
	char *to = path;

	for (const char *from = path; *from;) {
		if (strncmp(from, newline_mark, strlen(newline_mark)) != 0) {
			*to++ = *from++;
			continue;
		}
		*to++ = '\n';
		from += strlen(newline_mark);
	}
	*to = '\0';
}

/* The path as it is on disk. Both marks may be a file's own: the link to it decides where there is one. */
static void set_path(struct scaler_component *component, char *path, pid_t pid)
{
	size_t mark = strlen(deleted_mark);
	char link[80], whole[PATH_MAX];
	struct stat status;
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/map_files/%llx-%llx", pid, component->start, component->end);
	if (strstr(path, newline_mark)) {
		length = readlink(link, whole, sizeof(whole) - 1);
		if (length < 0) {
			put_newlines_back(path);
		} else {
			whole[length] = '\0';
			path = whole;
		}
	}
	length = (ssize_t)strlen(path) - (ssize_t)mark;
	if (length > 0 && !strcmp(path + length, deleted_mark) && (stat(link, &status) || !status.st_nlink))
		path[length] = '\0';
	kernel_path_set(&component->path, path);
}

int process_mapping_parse(struct process_mapping *mapping, char *line, pid_t pid)
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
	*mapping = (struct process_mapping){ .offset = offset, .component.tgid = (uint32_t)pid };
	component->start = start;
	component->end = end;
	component->key.device = major << MINOR_BITS | minor;
	component->key.inode = inode;
	if (component->key.device) {
		set_path(component, line + path_at, pid);
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
	if (!process_mapping_parse(&mappings[maps->count], line, pid))
		maps->count++;
	return 0;
}

static int read_lines(struct process_maps *maps, pid_t pid, mapping_filter is_wanted)
{
	size_t line_size = 0;
	char *line = NULL;
	FILE *file = kernel_file_read("/proc/%d/maps", pid);
	int err = 0;

	*maps = (struct process_maps){ 0 };
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
