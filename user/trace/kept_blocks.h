/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last blocks of a recording, in memory: a flight recorder. Chunks are forgotten, the oldest first; what they refer to by
 * number is kept, so that a file of the rest is a recording as any other.
 */
#ifndef SCALER_TRACE_KEPT_BLOCKS_H
#define SCALER_TRACE_KEPT_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/block.h"

struct kept_block {
	struct trace_block header;
	void *bytes; /* owned: header and payload */
	size_t size;
};

/* All zero at first but for the limits. */
struct kept_blocks {
	uint64_t keep_ns;    /* chunks are forgotten that end longer before the last one does; 0: none are */
	uint64_t keep_bytes; /* and as many as make all blocks fit; 0: none. The last chunk stays. */
	struct kept_block *items; /* owned; in their order */
	size_t count;
	size_t capacity;
	uint64_t bytes; /* of all */
};

/* Takes a block, which it owns from now on whatever it returns: 0 or -ENOMEM. */
int kept_blocks_add(struct kept_blocks *kept, void *block, size_t size);

/* From when on all is kept, CLOCK_MONOTONIC; 0: there is no chunk. */
uint64_t kept_blocks_from_ns(const struct kept_blocks *kept);

void kept_blocks_clear(struct kept_blocks *kept);

#endif
