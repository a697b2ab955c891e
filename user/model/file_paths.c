// SPDX-License-Identifier: GPL-2.0-only
/* The paths of files that threads waited on, by the numbers that the kernel side has given them. */
#include "model/file_paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/kernel_path.h"

int file_paths_add_text(struct file_paths *paths, uint32_t number, const char *text, bool is_deleted)
{
	struct file_path *items = array_reserve(paths->items, paths->count, &paths->capacity, sizeof(*items));
	char *copy = strdup(text);

	if (items)
		paths->items = items;
	if (!items || !copy) {
		free(copy);
		return -ENOMEM;
	}
	items[paths->count].number = number;
	items[paths->count].is_deleted = is_deleted;
	items[paths->count++].text = copy;
	paths->is_sorted = false;
	return 0;
}

int file_paths_add(struct file_paths *paths, uint32_t number, const struct scaler_path *path)
{
	char text[KERNEL_PATH_TEXT_SIZE];

	return file_paths_add_text(paths, number, kernel_path_format(path, text), path->is_deleted);
}

int file_paths_copy(struct file_paths *to, const struct file_paths *from)
{
	int err = 0;

	for (size_t i = 0; i < from->count && !err; i++)
		err = file_paths_add_text(to, from->items[i].number, from->items[i].text,
					  from->items[i].is_deleted);
	return err;
}

static int compare_numbers(const void *left, const void *right)
{
	const struct file_path *a = left, *b = right;

	return array_order(a->number, b->number);
}

const struct file_path *file_paths_find(struct file_paths *paths, uint32_t number)
{
	const struct file_path key = { .number = number };

	if (!number || !paths->count)
		return NULL;
	if (!paths->is_sorted)
		qsort(paths->items, paths->count, sizeof(*paths->items), compare_numbers);
	paths->is_sorted = true;
	return bsearch(&key, paths->items, paths->count, sizeof(key), compare_numbers);
}

void file_paths_clear(struct file_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->items[i].text);
	free(paths->items);
	*paths = (struct file_paths){ 0 };
}
