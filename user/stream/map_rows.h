/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the rows of a BPF hash map. */
#ifndef SCALER_STREAM_MAP_ROWS_H
#define SCALER_STREAM_MAP_ROWS_H

#include <stddef.h>

/* Returns 0, or a negative errno that ends the reading. The key and the value are the caller's until it returns. */
typedef int (*map_row_taker)(void *context, const void *key, const void *value);

/*
 * Gives take each row that is in the map all the time; those that come or go meanwhile, or not. The sizes are the map's
 * own, in bytes. Returns 0 or a negative errno.
 */
int map_rows_read(int fd, size_t key_bytes, size_t value_bytes, map_row_taker take, void *context);

#endif
