// SPDX-License-Identifier: GPL-2.0-only
/* Reads the rows of a BPF hash map: many with one system call. */
#include "stream/map_rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#define FIRST_ROWS 256

struct batch {
	char *keys; /* owned, as is the next */
	char *values;
	uint32_t rows; /* that they have room for */
	size_t key_bytes;
	size_t value_bytes;
};

static int make_room(struct batch *batch, uint32_t rows)
{
	char *keys = reallocarray(batch->keys, rows, batch->key_bytes), *values;

	if (!keys)
		return -ENOMEM;
	batch->keys = keys;
	values = reallocarray(batch->values, rows, batch->value_bytes);
	if (!values)
		return -ENOMEM;
	batch->values = values;
	batch->rows = rows;
	return 0;
}

static int take_all(const struct batch *batch, uint32_t count, map_row_taker take, void *context)
{
	int err = 0;

	for (uint32_t i = 0; i < count && !err; i++)
		err = take(context, batch->keys + i * batch->key_bytes,
			   batch->values + i * batch->value_bytes);
	return err;
}

/* The kernel's positions are bucket numbers, whatever the size of a key. */
static int read_all(int fd, struct batch *batch, map_row_taker take, void *context)
{
	uint32_t position, next, *last = NULL, count;
	int err, failed;

	do {
		count = batch->rows;
		err = bpf_map_lookup_batch(fd, last, &next, batch->keys, batch->values, &count, NULL);
		/* One bucket has more rows than there is room for. */
		if (err == -ENOSPC) {
			err = make_room(batch, 2 * batch->rows);
			count = 0;
		} else if (!err || err == -ENOENT) {
			position = next;
			last = &position;
		} else {
			count = 0;
		}
		failed = take_all(batch, count, take, context);
	} while (!err && !failed);
	return failed ? failed : err == -ENOENT ? 0 : err;
}

int map_rows_read(int fd, size_t key_bytes, size_t value_bytes, map_row_taker take, void *context)
{
	struct batch batch = { .key_bytes = key_bytes, .value_bytes = value_bytes };
	int err = make_room(&batch, FIRST_ROWS);

	if (!err)
		err = read_all(fd, &batch, take, context);
	free(batch.keys);
	free(batch.values);
	return err;
}
