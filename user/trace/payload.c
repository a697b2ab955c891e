// SPDX-License-Identifier: GPL-2.0-only
/* Sections of rows, put into a payload and found in it. */
#include "trace/payload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As the bytes of few rows are not alike. */
#define PLANES_LEAST 16

static size_t padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

static uint8_t *reserve(struct trace_payload *payload, size_t more)
{
	size_t capacity = payload->capacity ?: 4096;
	uint8_t *bytes;

	while (capacity - payload->size < more)
		capacity *= 2;
	if (capacity != payload->capacity) {
		bytes = realloc(payload->bytes, capacity);
		if (!bytes) {
			payload->failed = true;
			return NULL;
		}
		payload->bytes = bytes;
		payload->capacity = capacity;
	}
	return payload->bytes + payload->size;
}

static void to_planes(uint8_t *planes, const uint8_t *rows, size_t row_bytes, size_t count)
{
	for (size_t byte = 0; byte < row_bytes; byte++) {
		for (size_t i = 0; i < count; i++)
			*planes++ = rows[i * row_bytes + byte];
	}
}

void trace_payload_add(struct trace_payload *payload, enum trace_kind kind, const void *rows,
		       size_t row_bytes, size_t count)
{
	struct trace_section section = { .kind = (uint16_t)kind,
					 .layout = row_bytes > 1 && count >= PLANES_LEAST ? TRACE_PLANES :
											    TRACE_ROWS,
					 .row_bytes = (uint32_t)row_bytes,
					 .count = count };
	size_t bytes = row_bytes * count;
	uint8_t *at;

	if (!count || payload->failed)
		return;
	at = reserve(payload, sizeof(section) + padded(bytes));
	if (!at)
		return;
	memcpy(at, &section, sizeof(section));
	at += sizeof(section);
	if (section.layout == TRACE_PLANES)
		to_planes(at, rows, row_bytes, count);
	else
		memcpy(at, rows, bytes);
	memset(at + bytes, 0, padded(bytes) - bytes);
	payload->size += sizeof(section) + padded(bytes);
}

void trace_payload_clear(struct trace_payload *payload)
{
	free(payload->bytes);
	*payload = (struct trace_payload){ 0 };
}

/* The section at *at, which is moved behind it. 0, 1 at the end, or -EBADMSG: there is none. */
static int next_section(const struct trace_reading *reading, size_t *at, struct trace_section *section)
{
	size_t left = reading->size - *at;

	if (!left)
		return 1;
	if (left < sizeof(*section))
		return -EBADMSG;
	memcpy(section, reading->bytes + *at, sizeof(*section));
	left -= sizeof(*section);
	if (!section->row_bytes || section->layout > TRACE_PLANES ||
	    section->count > left / section->row_bytes ||
	    padded((size_t)section->count * section->row_bytes) > left)
		return -EBADMSG;
	*at += sizeof(*section) + padded((size_t)section->count * section->row_bytes);
	return 0;
}

/* Of the section that ends before at, as many bytes of each row as are wanted. */
static void take_rows(const struct trace_reading *reading, size_t at, const struct trace_section *section,
		      uint8_t *rows, size_t row_bytes)
{
	size_t count = (size_t)section->count, stored = section->row_bytes;
	size_t common = stored < row_bytes ? stored : row_bytes;
	const uint8_t *from = reading->bytes + at - padded(count * stored);

	for (size_t i = 0; section->layout == TRACE_ROWS && i < count; i++)
		memcpy(rows + i * row_bytes, from + i * stored, common);
	for (size_t byte = 0; section->layout == TRACE_PLANES && byte < common; byte++) {
		for (size_t i = 0; i < count; i++)
			rows[i * row_bytes + byte] = from[byte * count + i];
	}
}

int trace_reading_take(const struct trace_reading *reading, enum trace_kind kind, size_t row_bytes,
		       void **rows, size_t *count, uint64_t *offset)
{
	struct trace_section section;
	size_t at = 0;
	int state;

	*rows = NULL;
	*count = 0;
	do {
		*offset = at;
		state = next_section(reading, &at, &section);
	} while (!state && section.kind != kind);
	if (state < 0)
		return state;
	/* A row in memory may be larger than the one that is there. */
	*rows = calloc(state ? 1 : (size_t)section.count + 1, row_bytes);
	if (!*rows)
		return -ENOMEM;
	if (state)
		return 0;
	*count = (size_t)section.count;
	take_rows(reading, at, &section, *rows, row_bytes);
	return 0;
}

size_t trace_reading_unknown(const struct trace_reading *reading)
{
	struct trace_section section;
	size_t at = 0, unknown = 0;

	while (!next_section(reading, &at, &section))
		unknown += section.kind >= TRACE_KIND_COUNT;
	return unknown;
}
