/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells the kernel side what the code of files may do, so that it probes returns where that is harmless: of the files
 * that are known at the beginning, and of each that it meets later and asks about.
 */
#ifndef SCALER_PROBE_RETURN_GUARD_H
#define SCALER_PROBE_RETURN_GUARD_H

#include <stdint.h>
#include <sys/types.h>

#include "probe/library_kernel.h"
#include "target/linked_files.h"

struct return_guard;

/* Returns 0 or a negative errno; the caller closes it in both cases. */
int return_guard_open(struct return_guard **guard, const struct linked_files *files,
		      const struct library_kernel *kernel);

/* The next of the files. Returns 0 or a negative errno. */
int return_guard_add(struct return_guard *guard, const struct linked_file *file);

/*
 * What may happen in one of the processes, or for pid 0 in a program that will load all of the files, which have been
 * added: enum scaler_return_hazard.
 */
uint32_t return_guard_hazards(const struct return_guard *guard, const struct linked_files *files, pid_t pid);

/* Looks at the file of a component. One that cannot be read may do anything. Returns 0 or a negative errno. */
int return_guard_answer(struct return_guard *guard, uint32_t component);

void return_guard_close(struct return_guard *guard);

#endif
