// SPDX-License-Identifier: GPL-2.0-only
/* Paths as the kernel side has them, and as text. */
#include "base/kernel_path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *kernel_path_format(const struct scaler_path *path, char text[KERNEL_PATH_TEXT_SIZE])
{
	const char *names = path->names, *at = names + path->size;
	const char *start = path->is_cut ? "..." : path->size ? "" : "/";
	char *out = text;

	if (path->is_apart) {
		snprintf(text, KERNEL_PATH_TEXT_SIZE, "%s", names);
		return text;
	}
	out += snprintf(text, KERNEL_PATH_TEXT_SIZE, "%s", start);
	/* at is behind the NUL of the name that comes next. */
	while (at > names) {
		const char *name = at - 1;

		while (name > names && name[-1])
			name--;
		*out++ = '/';
		out = stpcpy(out, name);
		at = name;
	}
	return text;
}

void kernel_path_set(struct scaler_path *path, const char *text)
{
	const char *end = text + strlen(text);

	path->size = 0;
	path->is_cut = path->is_apart = path->is_deleted = false;
	while (end > text) {
		const char *name = end;
		size_t length;

		while (name > text && name[-1] != '/')
			name--;
		length = (size_t)(end - name);
		if (length && path->size + length + 1 > sizeof(path->names)) {
			path->is_cut = true;
			return;
		}
		if (length) {
			memcpy(path->names + path->size, name, length);
			path->size += (uint32_t)length;
			path->names[path->size++] = '\0';
		}
		end = name > text ? name - 1 : text;
	}
}
