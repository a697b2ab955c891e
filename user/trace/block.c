// SPDX-License-Identifier: GPL-2.0-only
/* The blocks of a recording file: packed, and checked before anything in them is believed. */
#include "trace/block.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>
#include <zstd.h>

/* Higher ones take much longer and gain little. */
#define LEVEL 1

void *trace_block_pack(const struct trace_block *header, const void *payload, size_t payload_bytes,
		       size_t *bytes)
{
	size_t bound = ZSTD_compressBound(payload_bytes);
	struct trace_block block = *header;
	char *packed = calloc(1, sizeof(block) + bound + 8);
	size_t stored;

	if (!packed)
		return NULL;
	stored = ZSTD_compress(packed + sizeof(block), bound, payload, payload_bytes, LEVEL);
	if (ZSTD_isError(stored)) {
		free(packed);
		return NULL;
	}
	memcpy(block.magic, TRACE_MAGIC, sizeof(block.magic));
	block.header_bytes = sizeof(block);
	block.codec = TRACE_CODEC_ZSTD;
	block.major = TRACE_MAJOR;
	block.minor = TRACE_MINOR;
	block.stored_bytes = stored;
	block.plain_bytes = payload_bytes;
	block.payload_hash = XXH64(packed + sizeof(block), stored, 0);
	block.header_hash = XXH64(&block, offsetof(struct trace_block, header_hash), 0);
	memcpy(packed, &block, sizeof(block));
	*bytes = (size_t)trace_block_bytes(&block);
	/* What is behind the payload is no more zero where the compressor has tried more than it kept. */
	memset(packed + sizeof(block) + stored, 0, *bytes - sizeof(block) - stored);
	return packed;
}

void trace_block_renumber(void *block, uint64_t sequence)
{
	struct trace_block header;

	memcpy(&header, block, sizeof(header));
	header.sequence = sequence;
	header.header_hash = XXH64(&header, offsetof(struct trace_block, header_hash), 0);
	memcpy(block, &header, sizeof(header));
}

const char *trace_problem_text(enum trace_problem problem)
{
	static const char *const texts[] = {
		[TRACE_FINE] = "nothing is wrong with it",
		[TRACE_NO_BLOCK] = "there is no block",
		[TRACE_CUT] = "the file ends within a block",
		[TRACE_DAMAGED] = "a block is damaged",
		[TRACE_NEWER] = "it was written by a later version of scaler-bpf: use that one",
		[TRACE_TOO_LARGE] = "a block says that it is larger than any is",
		[TRACE_NO_MEMORY] = "there is no memory for a block",
		[TRACE_UNREADABLE] = "it cannot be read",
		[TRACE_OTHER_FILE] = "another recording's block is there",
	};

	return texts[problem];
}

enum trace_problem trace_block_header(const void *bytes, size_t size, struct trace_block *header)
{
	size_t magic = size < sizeof(header->magic) ? size : sizeof(header->magic);

	if (memcmp(bytes, TRACE_MAGIC, magic))
		return TRACE_NO_BLOCK;
	if (size < sizeof(*header))
		return TRACE_CUT;
	memcpy(header, bytes, sizeof(*header));
	/* Another version may have its hash elsewhere. */
	if (header->major != TRACE_MAJOR)
		return TRACE_NEWER;
	if (header->header_hash != XXH64(header, offsetof(struct trace_block, header_hash), 0))
		return TRACE_DAMAGED;
	if (header->header_bytes < sizeof(*header))
		return TRACE_DAMAGED;
	if (header->stored_bytes > TRACE_PAYLOAD_LIMIT || header->plain_bytes > TRACE_PAYLOAD_LIMIT)
		return TRACE_TOO_LARGE;
	return trace_block_bytes(header) > size ? TRACE_CUT : TRACE_FINE;
}

enum trace_problem trace_block_payload(const void *bytes, const struct trace_block *header, void **payload)
{
	const char *stored = (const char *)bytes + header->header_bytes;
	size_t plain_bytes = (size_t)header->plain_bytes;
	char *plain;
	bool is_right;

	if (header->payload_hash != XXH64(stored, header->stored_bytes, 0))
		return TRACE_DAMAGED;
	plain = calloc(1, plain_bytes + 8);
	if (!plain)
		return TRACE_NO_MEMORY;
	if (header->codec == TRACE_CODEC_NONE) {
		is_right = header->stored_bytes == plain_bytes;
		memcpy(plain, stored, is_right ? plain_bytes : 0);
	} else {
		is_right = header->codec == TRACE_CODEC_ZSTD &&
			   ZSTD_decompress(plain, plain_bytes, stored, header->stored_bytes) == plain_bytes;
	}
	if (is_right) {
		*payload = plain;
		return TRACE_FINE;
	}
	free(plain);
	return TRACE_DAMAGED;
}
