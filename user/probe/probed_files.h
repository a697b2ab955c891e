/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells the kernel side where files have probes, so that it sees processes that read them. */
#ifndef SCALER_PROBE_PROBED_FILES_H
#define SCALER_PROBE_PROBED_FILES_H

#include "probe/library_kernel.h"
#include "probe/plan.h"
#include "target/linked_files.h"

/* An open file whose functions have been looked at, and are to be probed. Returns 0 or a negative errno. */
int probed_files_tell(const struct library_kernel *kernel, const struct plan *plan,
		      const struct linked_file *file, uint32_t number, int fd);

/* A process that is to have no probes, or may have some again. Without room in the map nobody is told. */
void probed_files_tell_refused(const struct library_kernel *kernel, pid_t pid, bool is_refused);

#endif
