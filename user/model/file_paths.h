/* SPDX-License-Identifier: GPL-2.0-only */
/* The paths of files that threads waited on, by the numbers that the kernel side has given them. */
#ifndef SCALER_MODEL_FILE_PATHS_H
#define SCALER_MODEL_FILE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scaler/path.h>

struct file_path {
	uint32_t number;
	bool is_deleted;
	char *text; /* owned; as kernel_path_format() has it; not trusted */
};

struct file_paths {
	struct file_path *items; /* owned */
	size_t count;
	size_t capacity;
	bool is_sorted;
};

/* Takes a copy of one. Returns 0 or -ENOMEM. */
int file_paths_add(struct file_paths *paths, uint32_t number, const struct scaler_path *path);
/* The same of one that is a text already. */
int file_paths_add_text(struct file_paths *paths, uint32_t number, const char *text, bool is_deleted);

/* Adds those of from to to. Returns 0 or -ENOMEM. */
int file_paths_copy(struct file_paths *to, const struct file_paths *from);

/* NULL: it is not known. Valid until the next is added. */
const struct file_path *file_paths_find(struct file_paths *paths, uint32_t number);

void file_paths_clear(struct file_paths *paths);

#endif
