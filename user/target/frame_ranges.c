// SPDX-License-Identifier: GPL-2.0-only
/* The ranges of frame descriptions. */
#include "target/frame_ranges.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "target/frame_table.h"

static int compare_ranges(const void *left, const void *right)
{
	const struct frame_range *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static int read_ranges(struct frame_ranges *ranges, const struct frame_table *table)
{
	struct frame_description description;

	ranges->items = calloc(table->count + 1, sizeof(*ranges->items));
	if (!ranges->items)
		return -ENOMEM;
	for (size_t i = 0; i < table->count; i++) {
		if (frame_table_get(table, i, &description))
			ranges->items[ranges->count++] =
				(struct frame_range){ description.program.start, description.size };
	}
	/* Linkers have sorted them; who lies has not. */
	qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
	return 0;
}

int frame_ranges_read(struct frame_ranges *ranges, Elf *elf)
{
	struct frame_table table;
	int err = frame_table_open(&table, elf, true);

	*ranges = (struct frame_ranges){ 0 };
	if (!err)
		err = read_ranges(ranges, &table);
	frame_table_close(&table);
	return err;
}

void frame_ranges_clear(struct frame_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct frame_ranges){ 0 };
}

const struct frame_range *frame_ranges_find(const struct frame_ranges *ranges, uint64_t address)
{
	/* No range begins at the last address there is, above which this is 0. */
	size_t left = array_count_below(ranges->items, ranges->count, sizeof(*ranges->items), address + 1);
	const struct frame_range *range = left ? &ranges->items[left - 1] : NULL;

	return range && address - range->start < range->size ? range : NULL;
}
