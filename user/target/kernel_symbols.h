/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of the kernel's functions, by /proc/kallsyms. */
#ifndef SCALER_TARGET_KERNEL_SYMBOLS_H
#define SCALER_TARGET_KERNEL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Finds the names of the functions around addresses, which ascend and are cut to the bits of a site's offset. Those
 * that are found become the caller's, each to be freed; the others stay as they are. Returns 0; -EPERM: the kernel
 * shows no addresses; -ENOMEM; or another negative errno.
 */
int kernel_symbols_find(const uint64_t *addresses, size_t count, char **names);

#endif
