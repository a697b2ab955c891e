/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a chunk tells, and the names that it and the chunks before it have defined. Nothing in a payload is believed: where
 * a number leads nowhere, what has it is without a name.
 */
#ifndef SCALER_TRACE_CHUNK_READER_H
#define SCALER_TRACE_CHUNK_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/distinct.h"
#include "model/places.h"
#include "model/profile.h"
#include "trace/payload.h"
#include "trace/rows.h"

/* All zero at first. */
struct chunk_reader {
	struct profile names;  /* its components, contexts, stacks, sockets and paths; no figures */
	struct distinct sites; /* struct chunk_site: what is known of each */
	struct distinct calls; /* struct chunk_call */
	char **texts;          /* owned, as are the texts: those of all chunks, which names point into */
	size_t text_count;
	size_t text_capacity;
	struct places
		places; /* components, their numbers, disks and interrupts; sites once they are asked for */
	size_t *components; /* owned: indices in places by the file's */
	size_t component_count;
	struct library_functions functions; /* its arrays are owned */
	const char **aliases;               /* owned */
	bool has_functions;
	bool is_last; /* the recording ended with the chunk that was read last */
};

/*
 * Fills an empty profile with the difference that the payload has; what it refers to by number is a copy of the reader's.
 * Returns 0; -EBADMSG: the payload is none, *offset says where in it; or -ENOMEM.
 */
int chunk_reader_take(struct chunk_reader *reader, const struct trace_reading *reading,
		      struct profile *difference, uint64_t *offset);

/* The places of all sites so far, the reader's; NULL: no memory. What was found before means nothing then. */
const struct places *chunk_reader_places(struct chunk_reader *reader);

void chunk_reader_clear(struct chunk_reader *reader);

#endif
