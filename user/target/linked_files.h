/* SPDX-License-Identifier: GPL-2.0-only */
/* The ELF files that processes have mapped or a program will load, each once, with what links them. */
#ifndef SCALER_TARGET_LINKED_FILES_H
#define SCALER_TARGET_LINKED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <scaler/component.h>

#include "base/distinct.h"
#include "elf/linkage.h"

struct linked_file {
	struct scaler_component
		component; /* in the first process that has it; of a program to be run by its path */
	struct scaler_component_key
		mapped; /* as the kernel side sees it mapped; the generation is not known */
	uint64_t bias;  /* in that process addresses are so much above the file's own */
	bool is_placed; /* the bias is known */
	struct linkage linkage;
	int error;        /* parser_read_linkage()'s, or of opening it; 0: the linkage is known */
	pid_t *processes; /* owned; those of the processes added that have it mapped */
	size_t process_count;
	size_t process_capacity;
};

/*
 * The file that the kernel maps where this open one is mapped: not the same of an overlay file system, of whose files
 * /proc/PID/maps has the one or the other, as the kernel's version is. Returns whether it is known.
 */
typedef bool (*mapped_key_read)(void *context, int fd, struct scaler_component_key *key);

struct linked_files {
	struct linked_file *items; /* owned */
	size_t count;
	size_t capacity;
	struct distinct keys;            /* all that the files are known by, each with its file's number */
	mapped_key_read read_mapped_key; /* NULL: each has only the key that it comes with */
	void *mapped_key_context;
};

/*
 * Adds the files from which a living process runs code; those that it has run code from before stay its files. Returns 0
 * or a negative errno; what was added stays.
 */
int linked_files_add_process(struct linked_files *files, pid_t pid);

/* Adds a file that the process has mapped, and may have unmapped again. Returns 0 or -ENOMEM. */
int linked_files_add_component(struct linked_files *files, const struct scaler_component *component,
			       pid_t pid);

/* NULL: it is none of them. A file of several keys is found by each. */
struct linked_file *linked_files_find(const struct linked_files *files,
				      const struct scaler_component_key *key);

/* The same of one that is mapped now, if need be by asking what file that is. */
struct linked_file *linked_files_find_mapped(const struct linked_files *files,
					     const struct scaler_component *component);

/* The process has ended: it is none of any file's. The files stay. */
void linked_files_forget_process(struct linked_files *files, pid_t pid);
bool linked_file_has_process(const struct linked_file *file, pid_t pid);

/* Adds the file with that path. Returns as above. */
int linked_files_add_path(struct linked_files *files, const char *path);

/* Says where the indirect functions of the files from that number on are, as far as that can be known. */
void linked_files_resolve(struct linked_files *files, size_t first);

void linked_files_clear(struct linked_files *files);

#endif
