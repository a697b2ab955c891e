/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of what was recorded, while the processes and files are there that have them: functions by files, debug files and
 * perf maps, the kernel's own, block devices, interrupts.
 */
#ifndef SCALER_SYMBOLIZE_SYMBOLIZE_H
#define SCALER_SYMBOLIZE_SYMBOLIZE_H

#include <stddef.h>
#include <stdint.h>

#include "model/places.h"
#include "model/profile.h"
#include "model/wait_things.h"

struct held_files;
struct symbol_search;

/* Both are the caller's, or NULL. */
struct symbolizer {
	struct held_files *held;      /* asked for files that no path leads to */
	struct symbol_search *search; /* reads symbols */
};

/*
 * Names what is new in the profile, and of what else waits were kept (NULL: none), in the places, which may have those of
 * earlier readings of the same recording; indices of before mean nothing any more. Opens the files of components that
 * have new ones, and their debug files. Returns 0 or -ENOMEM.
 */
int symbolize(const struct symbolizer *symbolizer, struct places *places, const struct profile *profile,
	      const struct wait_things *others);

#endif
