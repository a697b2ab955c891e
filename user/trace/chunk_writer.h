/* SPDX-License-Identifier: GPL-2.0-only */
/* What happened between two cuts as a chunk's payload, and as another one the names that it refers to for the first time. */
#ifndef SCALER_TRACE_CHUNK_WRITER_H
#define SCALER_TRACE_CHUNK_WRITER_H

#include <stdbool.h>

#include "base/distinct.h"
#include "model/marks.h"
#include "model/places.h"
#include "model/profile.h"
#include "trace/payload.h"

/* All zero at first. */
struct chunk_writer {
	struct distinct written; /* what earlier chunks have, by kind and number */
	/* Of the library functions and of the components as the last payload with them has them; 0: none has. */
	uint64_t functions_hash;
	uint64_t components_hash;
};

/*
 * Fills an empty payload with the names; it stays empty if there are none that are new. The places have all sites of the
 * difference, an interval as interval_between() makes it. Returns 0 or -ENOMEM, after which the writer is of no use.
 */
int chunk_writer_name(struct chunk_writer *writer, const struct profile *difference,
		      const struct places *places, struct trace_payload *payload);
/*
 * Fills an empty payload with what happened, and the marks that came since the chunk before, ahead of it (NULL: none); is_last:
 * the recording ends with it. Returns as the one above.
 */
int chunk_writer_make(const struct profile *difference, const struct marks *marks, bool is_last,
		      struct trace_payload *payload);
void chunk_writer_clear(struct chunk_writer *writer);

#endif
