/* SPDX-License-Identifier: GPL-2.0-only */
/* What happened between two cuts, and the names that it refers to for the first time, as a chunk's payload. */
#ifndef SCALER_TRACE_CHUNK_WRITER_H
#define SCALER_TRACE_CHUNK_WRITER_H

#include <stdbool.h>

#include "base/distinct.h"
#include "model/places.h"
#include "model/profile.h"
#include "trace/payload.h"

/* All zero at first. */
struct chunk_writer {
	struct distinct written; /* what earlier chunks have, by kind and number */
	uint64_t
		functions_hash; /* of the library functions as the last chunk with them has them; 0: none has */
};

/*
 * Fills an empty payload. The places have all sites of the difference, an interval as interval_between() makes it; is_last:
 * the recording ends with it. Returns 0 or -ENOMEM, after which the writer is of no use.
 */
int chunk_writer_make(struct chunk_writer *writer, const struct profile *difference,
		      const struct places *places, bool is_last, struct trace_payload *payload);
void chunk_writer_clear(struct chunk_writer *writer);

#endif
