/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of the kernel's functions, by /proc/kallsyms. */
#ifndef SCALER_TARGET_KERNEL_SYMBOLS_H
#define SCALER_TARGET_KERNEL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <scaler/code_range.h>

/*
 * Finds the names of the functions around addresses, which ascend and are cut to the bits of a site's offset. Those
 * that are found become the caller's, each to be freed; the others stay as they are. Returns 0; -EPERM: the kernel
 * shows no addresses; -ENOMEM; or another negative errno.
 */
int kernel_symbols_find(const uint64_t *addresses, size_t count, char **names);

/*
 * The code of the kernel's functions with those names: at most one range a name, in the order of addresses. Returns how
 * many were found, which is less than there are names where the kernel has no such functions, or does not show their
 * addresses; or a negative errno.
 */
ssize_t kernel_symbols_find_code(const char *const *names, size_t count, struct scaler_code_range *ranges);

#endif
