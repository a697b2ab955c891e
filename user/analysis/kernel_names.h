/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of the kernel's own threads: chains know threads by their names alone. What such a thread waits for by itself is
 * that there be something to do.
 */
#ifndef SCALER_ANALYSIS_KERNEL_NAMES_H
#define SCALER_ANALYSIS_KERNEL_NAMES_H

#include "analysis/namings.h"
#include "base/distinct.h"

/* All zero at first. */
struct kernel_names {
	struct distinct names; /* whole ones: not merged */
};

/* Returns 0 or -ENOMEM; the caller clears the names in both cases. */
int kernel_names_make(const struct namings *namings, struct kernel_names *kernel);
void kernel_names_clear(struct kernel_names *kernel);

bool kernel_names_have(const struct kernel_names *kernel, const char comm[SCALER_COMM_SIZE]);

#endif
