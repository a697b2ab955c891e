/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of the kernel's own, below /proc and /sys. */
#ifndef SCALER_BASE_KERNEL_FILE_H
#define SCALER_BASE_KERNEL_FILE_H

#include <stdio.h>

/* Opens the one of that path, as for printf(). Returns a stream for reading that the caller closes, or NULL with errno. */
FILE *kernel_file_read(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with the flags of open(). Returns a descriptor that the caller closes, or a negative errno. */
int kernel_file_open(int flags, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
