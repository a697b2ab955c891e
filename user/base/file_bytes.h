/* SPDX-License-Identifier: GPL-2.0-only */
/* Ranges of open files, which may shrink while they are read. */
#ifndef SCALER_BASE_FILE_BYTES_H
#define SCALER_BASE_FILE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads the file from an offset on. Returns how many bytes it has there, size at most, or a negative errno. */
ssize_t file_bytes_read(int fd, uint64_t offset, void *bytes, size_t size);

/* As fstat(), also where a process may make no system call that takes a path, as glibc's fstat() does. 0 or a negative errno. */
struct stat;
int file_bytes_stat(int fd, struct stat *status);

#endif
