/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files mapped into the tracer, and so into a command that it forks until that runs its own program: the kernel looks
 * at instructions that are to be probed only where some process has them mapped.
 */
#ifndef SCALER_TARGET_FILE_MAPPINGS_H
#define SCALER_TARGET_FILE_MAPPINGS_H

#include "target/linked_files.h"

struct file_mapping {
	void *address;
	size_t length;
};

struct file_mappings {
	struct file_mapping *items; /* owned */
	size_t count;
};

/* Maps what can be mapped of the files, to be read only. Returns 0 or -ENOMEM. */
int file_mappings_make(struct file_mappings *mappings, const struct linked_files *files);
void file_mappings_clear(struct file_mappings *mappings);

#endif
