// SPDX-License-Identifier: GPL-2.0-only
/* Opens files below /proc and /sys, and no others. */
#include "base/kernel_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "base/array.h"

#define PATH_SIZE 256 /* bytes; numbers and names that the tracer has chosen */

static int open_path(int flags, const char *format, va_list arguments)
{
	static const char *const places[] = { "/proc/", "/sys/" };
	char path[PATH_SIZE];
	int fd;

	if (vsnprintf(path, sizeof(path), format, arguments) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		if (strncmp(path, places[i], strlen(places[i])) != 0)
			continue;
		fd = open(path, flags | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	return -EINVAL;
}

int kernel_file_open(int flags, const char *format, ...)
{
	va_list arguments;
	int fd;

	va_start(arguments, format);
	fd = open_path(flags, format, arguments);
	va_end(arguments);
	return fd;
}

FILE *kernel_file_read(const char *format, ...)
{
	va_list arguments;
	int fd;

	va_start(arguments, format);
	fd = open_path(O_RDONLY, format, arguments);
	va_end(arguments);
	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	return fdopen(fd, "r");
}
