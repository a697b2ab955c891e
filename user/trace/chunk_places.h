/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of chunk_reader.h that is about names: of places, of library functions, of devices. */
#ifndef SCALER_TRACE_CHUNK_PLACES_H
#define SCALER_TRACE_CHUNK_PLACES_H

#include "trace/chunk_reader.h"

/* A chunk that is being read. */
struct taking {
	struct chunk_reader *reader;
	const struct trace_reading *reading;
	struct profile *profile; /* to be filled, as are the marks; NULL: there are but names */
	struct marks *marks;
	const char *texts;
	size_t text_bytes;
	uint64_t offset; /* of the section that was looked at last */
};

/* NULL: there is none, or no such one. */
static inline const char *taking_text(const struct taking *taking, uint32_t at)
{
	return at < taking->text_bytes ? taking->texts + at : NULL;
}

/* All return as chunk_reader_take(). */
int chunk_take(struct taking *taking, enum trace_kind kind, size_t row_bytes, void **rows, size_t *count);
typedef int chunk_use(struct taking *taking, const void *row);
int chunk_take_each(struct taking *taking, enum trace_kind kind, size_t row_bytes, chunk_use *use);

int chunk_functions_take(struct taking *taking);
int chunk_places_take(struct taking *taking);

bool chunk_has_site(const struct chunk_reader *reader, uint64_t site);

#endif
