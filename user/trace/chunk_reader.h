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
#include "model/marks.h"
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
	bool is_last;    /* the recording ended with the chunk that was read last */
	uint64_t end_ns; /* of that chunk: none begins before */
};

/* Takes the names that a payload defines. Returns 0; -EBADMSG: it is none, *offset says where in it; or -ENOMEM. */
int chunk_reader_define(struct chunk_reader *reader, const struct trace_reading *reading, uint64_t *offset);

/* What happened between two cuts. All zero at first. */
struct chunk {
	struct profile difference; /* what it refers to by number is a copy of the reader's */
	struct marks marks;        /* from before it */
};

/* Fills an empty chunk. Returns as the one above. */
int chunk_reader_take(struct chunk_reader *reader, const struct trace_reading *reading, struct chunk *chunk,
		      uint64_t *offset);
void chunk_clear(struct chunk *chunk);

/* The places of all sites so far, the reader's; NULL: no memory. What was found before means nothing then. */
const struct places *chunk_reader_places(struct chunk_reader *reader);

void chunk_reader_clear(struct chunk_reader *reader);

#endif
