// SPDX-License-Identifier: GPL-2.0-only
/* The last blocks of a recording, in memory. */
#include "trace/kept_blocks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The oldest chunk but for the last one; NULL: there is none. */
static struct kept_block *find_oldest(const struct kept_blocks *kept)
{
	for (size_t i = 0; i + 1 < kept->count; i++) {
		if (kept->items[i].header.type == TRACE_BLOCK_CHUNK)
			return &kept->items[i];
	}
	return NULL;
}

static void forget(struct kept_blocks *kept, struct kept_block *block)
{
	size_t behind = kept->count - (size_t)(block - kept->items) - 1;

	kept->bytes -= block->size;
	free(block->bytes);
	memmove(block, block + 1, behind * sizeof(*block));
	kept->count--;
}

static bool is_too_old(const struct kept_blocks *kept, const struct kept_block *block)
{
	uint64_t now_ns = kept->items[kept->count - 1].header.to_ns;

	return kept->keep_ns && block->header.to_ns + kept->keep_ns < now_ns;
}

int kept_blocks_add(struct kept_blocks *kept, void *block, size_t size)
{
	struct kept_block *items = array_reserve(kept->items, kept->count, &kept->capacity, sizeof(*items)),
			  *oldest;

	if (!items) {
		free(block);
		return -ENOMEM;
	}
	kept->items = items;
	items[kept->count] = (struct kept_block){ .bytes = block, .size = size };
	memcpy(&items[kept->count].header, block, sizeof(items->header));
	kept->bytes += size;
	/* Names come before their chunk, with which it is looked what is too much. */
	if (items[kept->count++].header.type != TRACE_BLOCK_CHUNK)
		return 0;
	while ((oldest = find_oldest(kept)) &&
	       (is_too_old(kept, oldest) || (kept->keep_bytes && kept->bytes > kept->keep_bytes)))
		forget(kept, oldest);
	return 0;
}

uint64_t kept_blocks_from_ns(const struct kept_blocks *kept)
{
	for (size_t i = 0; i < kept->count; i++) {
		if (kept->items[i].header.type == TRACE_BLOCK_CHUNK)
			return kept->items[i].header.from_ns;
	}
	return 0;
}

void kept_blocks_clear(struct kept_blocks *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		free(kept->items[i].bytes);
	free(kept->items);
	*kept = (struct kept_blocks){ .keep_ns = kept->keep_ns, .keep_bytes = kept->keep_bytes };
}
