/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording file is blocks, one behind the other, each of which can be read by itself: it is appended to, and nothing in
 * it is ever changed, so that what was written before a kill, a full disk or a power failure stays readable. A block is
 * this header, its payload, and zeros up to a multiple of 8 bytes. All numbers are little-endian; payload.h
 * and rows.h say what is in payloads.
 */
#ifndef SCALER_TRACE_BLOCK_H
#define SCALER_TRACE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows are written as they are in memory");

/* The first byte is in no text, the last ones show what a transfer as text changes. */
#define TRACE_MAGIC "\x9bscalr\r\n"

enum trace_block_type {
	TRACE_BLOCK_HEAD = 1,  /* where and how it was recorded; the first */
	TRACE_BLOCK_CHUNK = 2, /* what happened between two moments */
	TRACE_BLOCK_END = 3,   /* where the others are; the last, if the recording came to its end */
	TRACE_BLOCK_NAMES = 4, /* what chunks from here on refer to by number, for the first time */
};

enum trace_codec {
	TRACE_CODEC_NONE,
	TRACE_CODEC_ZSTD, /* one frame */
};

struct trace_block {
	char magic[8];
	uint16_t header_bytes; /* of this; later versions may have more */
	uint8_t type;
	uint8_t codec;
	uint16_t major; /* of the format: what has another one cannot be read */
	uint16_t minor;
	uint64_t sequence;     /* of blocks, from 0 */
	uint64_t stored_bytes; /* of the payload as it follows */
	uint64_t plain_bytes;  /* and as it was */
	uint64_t from_ns;      /* CLOCK_MONOTONIC; of what a chunk tells, as is the next */
	uint64_t to_ns;
	uint64_t payload_hash; /* XXH64 of the stored bytes */
	uint64_t header_hash;  /* and of the header up to here */
};
_Static_assert(sizeof(struct trace_block) == 72, "of the format");

#define TRACE_MAJOR 1
#define TRACE_MINOR 0

/* No payload has more, before or after: a reader believes no larger number. */
#define TRACE_PAYLOAD_LIMIT (1ULL << 30)

/* Bytes up to the next block. */
static inline uint64_t trace_block_bytes(const struct trace_block *block)
{
	return block->header_bytes + ((block->stored_bytes + 7) & ~7ULL);
}

/*
 * The block of a payload, ready to be written: owned by the caller, *bytes long; NULL: no memory. Of the header the type,
 * the sequence number and the times are the caller's.
 */
void *trace_block_pack(const struct trace_block *header, const void *payload, size_t payload_bytes,
		       size_t *bytes);

/* Gives a block another sequence number. */
void trace_block_renumber(void *block, uint64_t sequence);

/* What is wrong with bytes that are to be a block. */
enum trace_problem {
	TRACE_FINE,
	TRACE_NO_BLOCK, /* there is none */
	TRACE_CUT,      /* the file ends within it */
	TRACE_DAMAGED,  /* it is not as it was written */
	TRACE_NEWER,    /* of a version that this one does not read */
	TRACE_TOO_LARGE,
	TRACE_NO_MEMORY,
	TRACE_UNREADABLE, /* the file */
	TRACE_OTHER_FILE, /* it is no block of this recording */
};

/* For a message. */
const char *trace_problem_text(enum trace_problem problem);

/* Copies and checks the header of the block that the bytes begin with. */
enum trace_problem trace_block_header(const void *bytes, size_t size, struct trace_block *header);

/* Its payload, owned by the caller, header->plain_bytes long, and 8 bytes of zeros. The bytes are all of the block. */
enum trace_problem trace_block_payload(const void *bytes, const struct trace_block *header, void **payload);

#endif
