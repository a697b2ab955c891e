/* SPDX-License-Identifier: GPL-2.0-only */
/* The blocking intervals of a recording, as they were told. */
#ifndef SCALER_MODEL_BLOCKING_INTERVALS_H
#define SCALER_MODEL_BLOCKING_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#include <scaler/blocking.h>

/* So many are kept at most, which takes 1074 MB. */
#define BLOCKING_INTERVALS_KEPT (1 << 22)

struct blocking_intervals {
	struct scaler_blocking_interval *items; /* owned */
	size_t count;
	size_t capacity;
	uint64_t dropped;                      /* so many came when as many as are kept were there */
	struct scaler_block_request *requests; /* owned; an interval's request is an index in it, plus 1 */
	size_t request_count;
	size_t request_capacity;
};

/* Takes a copy of one, with its request (NULL: none), or counts it as dropped. Returns 0 or -ENOMEM. */
int blocking_intervals_add(struct blocking_intervals *intervals,
			   const struct scaler_blocking_interval *interval,
			   const struct scaler_block_request *request);

/* The request to a block device that an interval of those waited for, valid until another is added; NULL: none. */
const struct scaler_block_request *
blocking_intervals_request(const struct blocking_intervals *intervals,
			   const struct scaler_blocking_interval *interval);

/* Puts those of from behind those of to, and leaves from empty. Returns 0 or -ENOMEM. */
int blocking_intervals_move(struct blocking_intervals *to, struct blocking_intervals *from);

/* Those that have not ended. */
void blocking_intervals_drop_open(struct blocking_intervals *intervals);

void blocking_intervals_clear(struct blocking_intervals *intervals);

#endif
