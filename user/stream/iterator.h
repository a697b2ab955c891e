/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads what a BPF iterator hands out as an array. */
#ifndef SCALER_STREAM_ITERATOR_H
#define SCALER_STREAM_ITERATOR_H

#include <stddef.h>

#define ITERATOR_ITEM_BYTES_MAX 512

/*
 * Gives take one item after the other, until it returns an error. Closes fd, which may be a negative errno. Returns 0
 * or a negative errno.
 */
int iterator_read(int fd, size_t item_bytes, int (*take)(void *context, const void *item), void *context);

#endif
