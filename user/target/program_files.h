/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that a program will have mapped when it begins, before it is run. */
#ifndef SCALER_TARGET_PROGRAM_FILES_H
#define SCALER_TARGET_PROGRAM_FILES_H

#include "target/linked_files.h"

/*
 * Adds the program with that name, sought in PATH; for a script the interpreter that its first line names; and the
 * libraries that are loaded with it, as its own dynamic linker lists them without running the program. Returns 0,
 * also if that list cannot be had, or as command_find() and linked_files_add_path() do.
 */
int program_files_add(struct linked_files *files, const char *name);

/* Takes the path out of a line of the dynamic linker's list, exported for tests. NULL: there is none. */
char *program_files_parse(char *line);

#endif
