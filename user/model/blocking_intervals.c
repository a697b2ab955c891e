// SPDX-License-Identifier: GPL-2.0-only
/* The blocking intervals of a recording, as they were told. */
#include "model/blocking_intervals.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

int blocking_intervals_add(struct blocking_intervals *intervals,
			   const struct scaler_blocking_interval *interval)
{
	struct scaler_blocking_interval *items;

	if (intervals->count == BLOCKING_INTERVALS_KEPT) {
		intervals->dropped++;
		return 0;
	}
	items = array_reserve(intervals->items, intervals->count, &intervals->capacity, sizeof(*items));
	if (!items)
		return -ENOMEM;
	intervals->items = items;
	items[intervals->count++] = *interval;
	return 0;
}

int blocking_intervals_move(struct blocking_intervals *to, struct blocking_intervals *from)
{
	int err = 0;

	if (!to->count) {
		from->dropped += to->dropped;
		free(to->items);
		*to = *from;
		*from = (struct blocking_intervals){ 0 };
		return 0;
	}
	for (size_t i = 0; i < from->count && !err; i++)
		err = blocking_intervals_add(to, &from->items[i]);
	to->dropped += from->dropped;
	blocking_intervals_clear(from);
	return err;
}

void blocking_intervals_clear(struct blocking_intervals *intervals)
{
	free(intervals->items);
	*intervals = (struct blocking_intervals){ 0 };
}
