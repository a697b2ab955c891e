/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The payload of a block: sections, each an array of rows of one kind. A reader passes over kinds that it does not know,
 * and over what rows have behind what it knows of them; what they lack is zero.
 */
#ifndef SCALER_TRACE_PAYLOAD_H
#define SCALER_TRACE_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of the format: new ones come at the end. Rows are those of the headers of include/scaler and user/trace/rows.h. */
enum trace_kind {
	TRACE_STRINGS =
		1, /* bytes: texts that end with a NUL, which rows name by where they begin; the first is empty */
	TRACE_RECORDING,
	TRACE_CUT_ROW,
	TRACE_THREADS,
	TRACE_GROUPS,
	TRACE_OPEN_CALLS,
	TRACE_CALLS,
	TRACE_LIBRARY_CALLS,
	TRACE_CONTEXTS,
	TRACE_ERRORS,
	TRACE_COMPONENTS,
	TRACE_STACKS,
	TRACE_STACK_SITES,
	TRACE_SAMPLES,
	TRACE_SOCKETS,
	TRACE_PATHS,
	TRACE_INTERVALS,
	TRACE_REQUESTS,
	TRACE_LOSSES,
	TRACE_COVERAGE,
	TRACE_FUNCTIONS,
	TRACE_FUNCTION_NAMES,
	TRACE_REFUSED,
	TRACE_PLACE_COMPONENTS,
	TRACE_PLACE_NUMBERS,
	TRACE_PLACE_SITES,
	TRACE_PLACE_CALLS,
	TRACE_DISKS,
	TRACE_INTERRUPTS,
	TRACE_MARKS,
	TRACE_INDEX,
	TRACE_KIND_COUNT,
};

/* What stands before the rows, which are followed by zeros up to a multiple of 8 bytes. */
struct trace_section {
	uint16_t kind;
	uint8_t layout; /* enum trace_layout */
	uint8_t zero;
	uint32_t row_bytes;
	uint64_t count;
};
_Static_assert(sizeof(struct trace_section) == 16, "of the format");

enum trace_layout {
	TRACE_ROWS,
	TRACE_PLANES, /* the first bytes of all rows, then the second ones, and so on: they compress to half */
};

/* A payload that is made: all zero at first. */
struct trace_payload {
	uint8_t *bytes; /* owned */
	size_t size;
	size_t capacity;
	bool failed; /* there was no memory; what follows is passed over */
};

/* Nothing if there are no rows. */
void trace_payload_add(struct trace_payload *payload, enum trace_kind kind, const void *rows,
		       size_t row_bytes, size_t count);
void trace_payload_clear(struct trace_payload *payload);

/* A payload that is read, which is not to be believed. */
struct trace_reading {
	const uint8_t *bytes;
	size_t size;
};

/*
 * The rows of that kind, owned by the caller, each row_bytes long, and one more of zeros; *count of them, none if the
 * payload has no such section. Returns 0; -EBADMSG: the payload is none, *offset says where; or -ENOMEM.
 */
int trace_reading_take(const struct trace_reading *reading, enum trace_kind kind, size_t row_bytes,
		       void **rows, size_t *count, uint64_t *offset);

/* How many sections are of kinds that this version does not know. The payload is one. */
size_t trace_reading_unknown(const struct trace_reading *reading);

#endif
