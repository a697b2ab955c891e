/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths as the kernel side has them, and as text. */
#ifndef SCALER_BASE_KERNEL_PATH_H
#define SCALER_BASE_KERNEL_PATH_H

#include <scaler/path.h>

/* "..." and each part with its slash, and a NUL. */
#define KERNEL_PATH_TEXT_SIZE (SCALER_PATH_SIZE + 4)

/* An absolute path; ".../NAME" if its beginning is missing; "NAME" of a file that is in no folder. Not trusted. Returns text. */
const char *kernel_path_format(const struct scaler_path *path, char text[KERNEL_PATH_TEXT_SIZE]);

/* Makes it that of an absolute path; one that is too long is cut like the kernel side's. */
void kernel_path_set(struct scaler_path *path, const char *text);

#endif
