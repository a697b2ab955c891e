/* SPDX-License-Identifier: GPL-2.0-only */
/* A payload that is being made of a profile: what the two halves of the writer share. */
#ifndef SCALER_TRACE_MAKING_H
#define SCALER_TRACE_MAKING_H

#include <stdio.h>

#include "trace/chunk_writer.h"

/* A payload under way. */
struct making {
	struct chunk_writer *writer;
	const struct profile *profile;
	const struct places *places;
	struct trace_payload *payload;
	FILE *out; /* the strings */
	size_t string_bytes;
	bool failed;
};

/* Rows that are collected before they are added. */
struct rows {
	char *items; /* owned */
	size_t count;
	size_t capacity;
};

/* A new row, all zero; NULL: there is no memory. */
void *making_row(struct making *making, struct rows *rows, size_t row_bytes);
/* The rows become a section, and there are none. */
void making_rows(struct making *making, enum trace_kind kind, struct rows *rows, size_t row_bytes);

/* Where the text begins among the strings; NULL is none. */
uint32_t making_text(struct making *making, const char *text);

/* Whether no payload has the thing of that kind and numbers; then this one has. */
bool making_is_new_pair(struct making *making, enum trace_kind kind, uint64_t number, uint64_t second);

static inline bool making_is_new(struct making *making, enum trace_kind kind, uint64_t number)
{
	return making_is_new_pair(making, kind, number, 0);
}

/* What the places have that is new. */
void making_places(struct making *making);

#endif
