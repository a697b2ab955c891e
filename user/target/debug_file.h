/* SPDX-License-Identifier: GPL-2.0-only */
/* The places where a debug file may be: those installed, beside the file, servers. Who finds one there checks that it is it. */
#ifndef SCALER_TARGET_DEBUG_FILE_H
#define SCALER_TARGET_DEBUG_FILE_H

#include <stddef.h>

#include "elf/debug_link.h"

/* The most candidates that there are for one file. */
#define DEBUG_FILES_MAX 7

/*
 * Opens what may be the debug file of an open file with that link: by its build-id below folder, an absolute path or NULL, and
 * below /usr/lib/debug; by its name beside the file, in .debug there, and below those folders. Returns how many there are, in
 * that order; the caller closes them.
 */
size_t debug_files_open(const struct debug_link *link, int fd, const char *folder,
			int candidates[DEBUG_FILES_MAX]);

/* The one below /usr/lib/debug by its build-id: a descriptor that the caller closes, or a negative errno. */
int debug_file_open_installed(const struct debug_link *link);

#endif
