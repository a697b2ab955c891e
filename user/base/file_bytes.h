/* SPDX-License-Identifier: GPL-2.0-only */
/* Ranges of open files, which may shrink while they are read. */
#ifndef SCALER_BASE_FILE_BYTES_H
#define SCALER_BASE_FILE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads the file from an offset on. Returns how many bytes it has there, size at most, or a negative errno. */
ssize_t file_bytes_read(int fd, uint64_t offset, void *bytes, size_t size);

#endif
