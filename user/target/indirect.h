/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Indirect functions (IFUNCs): their symbol is a resolver's, which the dynamic linker runs once to choose among
 * several functions, by what the CPU can do. Where the chosen one is, only a process that has the file mapped
 * knows. All processes of a machine choose alike.
 */
#ifndef SCALER_TARGET_INDIRECT_H
#define SCALER_TARGET_INDIRECT_H

#include <stdbool.h>
#include <stddef.h>

#include "target/linked_files.h"

/* Whether some of the file's have no address yet. */
bool indirect_is_left(const struct linkage *linkage);

/* Fills in what our own process knows, if it has the same file mapped. */
void indirect_resolve_here(struct linked_file *file);

/*
 * Fills in what one process that the file was found in has resolved for its other files: addresses that these
 * have in their tables.
 */
void indirect_resolve_there(const struct linked_files *files, size_t index);

#endif
