/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The debug file of an ELF file: by its build-id among those installed, by its debug link, or from servers. Source: GDB's
 * manual, "Debugging Information in Separate Files". Neither file is trusted.
 */
#ifndef SCALER_TARGET_DEBUG_FILE_H
#define SCALER_TARGET_DEBUG_FILE_H

#include <stdint.h>

#include "base/patience.h"
#include "elf/elf_file.h"

/*
 * Searches /usr/lib/debug and before it that folder, an absolute path or NULL; beside the file and in .debug there; and asks
 * the servers of DEBUGINFOD_URLS, whose sending is progress of the work, which may be NULL. Returns a descriptor that the
 * caller closes, or -ENOENT.
 */
int debug_file_open(struct elf_file *file, const char *folder, struct patient_work *work);

/* The same without waiting: by its build-id in /usr/lib/debug. */
int debug_file_open_installed(struct elf_file *file);

/* How much higher the debug file's addresses are than the file's own: the file may have been moved since. */
uint64_t debug_file_bias(const struct elf_file *file, const struct elf_file *debug);

#endif
