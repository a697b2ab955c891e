// SPDX-License-Identifier: GPL-2.0-only
/* The blocking intervals of a recording, as they were told. */
#include "model/blocking_intervals.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

static int add_request(struct blocking_intervals *intervals, const struct scaler_block_request *request)
{
	struct scaler_block_request *requests =
		array_reserve(intervals->requests, intervals->request_count, &intervals->request_capacity,
			      sizeof(*requests));

	if (!requests)
		return -ENOMEM;
	intervals->requests = requests;
	requests[intervals->request_count++] = *request;
	return 0;
}

int blocking_intervals_add(struct blocking_intervals *intervals,
			   const struct scaler_blocking_interval *interval,
			   const struct scaler_block_request *request)
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
	if (request && add_request(intervals, request))
		return -ENOMEM;
	items[intervals->count] = *interval;
	items[intervals->count++].request = request ? (uint32_t)intervals->request_count : 0;
	return 0;
}

const struct scaler_block_request *blocking_intervals_request(const struct blocking_intervals *intervals,
							      const struct scaler_blocking_interval *interval)
{
	return interval->request ? &intervals->requests[interval->request - 1] : NULL;
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
		err = blocking_intervals_add(to, &from->items[i],
					     blocking_intervals_request(from, &from->items[i]));
	to->dropped += from->dropped;
	blocking_intervals_clear(from);
	return err;
}

void blocking_intervals_drop_open(struct blocking_intervals *intervals)
{
	size_t kept = 0;

	for (size_t i = 0; i < intervals->count; i++) {
		if (intervals->items[i].end_ns)
			intervals->items[kept++] = intervals->items[i];
	}
	intervals->count = kept;
}

void blocking_intervals_clear(struct blocking_intervals *intervals)
{
	free(intervals->items);
	free(intervals->requests);
	*intervals = (struct blocking_intervals){ 0 };
}
