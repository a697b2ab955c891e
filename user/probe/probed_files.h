/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells the kernel side where files have probes, so that it sees processes that read them. */
#ifndef SCALER_PROBE_PROBED_FILES_H
#define SCALER_PROBE_PROBED_FILES_H

#include "plan/plan.h"
#include "probe/library_kernel.h"
#include "target/linked_files.h"

struct probed_files {
	size_t *functions; /* owned; of each file, by number: how many are known to the kernel side */
	size_t count;
	uint32_t places; /* in use, of all files */
};

/*
 * An open file whose functions have been looked at, and are to be probed. Nothing is done if the kernel side knows of as
 * many. Returns 0 or a negative errno.
 */
int probed_files_tell(struct probed_files *files, const struct library_kernel *kernel,
		      const struct plan *plan, const struct linked_file *file, uint32_t number, int fd);

void probed_files_clear(struct probed_files *files);

/* What is being done about a process: bits of enum scaler_probing. Without room in the map nothing is known of it. */
void probed_files_tell_process(const struct library_kernel *kernel, pid_t pid, uint32_t probing);

#endif
