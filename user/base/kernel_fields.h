/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of the kernel with a named number on each line: /proc/PID/status, /proc/PID/fdinfo/FD. */
#ifndef SCALER_BASE_KERNEL_FIELDS_H
#define SCALER_BASE_KERNEL_FIELDS_H

#include <stdint.h>

/* The number after "NAME:", in its base there (10 or 16) and its unit; 0 without such a file or line. */
uint64_t kernel_field(const char *path, const char *name, int base);

#endif
