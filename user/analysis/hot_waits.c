// SPDX-License-Identifier: GPL-2.0-only
/* Which calls threads were blocked in for the longest so far. */
#include "analysis/hot_waits.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/blocking_filter.h"
#include "analysis/idle.h"
#include "base/array.h"
#include "model/syscalls.h"

static const struct syscall_info *call_of(const struct scaler_blocking_interval *interval)
{
	if (!(interval->flags & SCALER_BLOCKING_IN_CALL))
		return NULL;
	return syscall_find_abi(interval->call.abi, interval->call.number);
}

/* Outside of calls threads wait for memory, in a state that nothing interrupts, and the kernel's for work, in all others. */
static bool counts(const struct scaler_blocking_interval *interval)
{
	const struct syscall_info *call = call_of(interval);
	uint32_t resource = interval->resource.kind;

	if (!interval->end_ns || interval->flags & (SCALER_BLOCKING_NOT | SCALER_BLOCKING_FOUND))
		return false;
	if (!call)
		return blocking_state_letter(interval->state) == 'D';
	return !idle_call_is_sleep(call, resource) && !idle_call_takes_work(call, resource);
}

static bool is_row(const struct hot_wait *row, const char group[SCALER_COMM_SIZE],
		   const struct scaler_blocking_interval *interval)
{
	bool is_in_call = call_of(interval);

	return !memcmp(row->group, group, SCALER_COMM_SIZE) && row->is_in_call == is_in_call &&
	       (!is_in_call ||
		(row->call.abi == interval->call.abi && row->call.number == interval->call.number));
}

static struct hot_wait *find_row(struct hot_waits *waits, const char group[SCALER_COMM_SIZE],
				 const struct scaler_blocking_interval *interval)
{
	struct hot_wait *least = waits->rows;

	for (size_t i = 0; i < waits->count; i++) {
		struct hot_wait *row = &waits->rows[i];

		if (is_row(row, group, interval))
			return row;
		if (row->total_ns < least->total_ns)
			least = row;
	}
	if (waits->count < HOT_WAITS_KEPT)
		least = &waits->rows[waits->count++];
	*least = (struct hot_wait){ .call = interval->call, .is_in_call = call_of(interval) };
	memcpy(least->group, group, SCALER_COMM_SIZE);
	return least;
}

void hot_waits_add(struct hot_waits *waits, const struct scaler_blocking_interval *interval)
{
	char group[SCALER_COMM_SIZE];
	struct hot_wait *row;

	waits->intervals += !(interval->flags & SCALER_BLOCKING_NOT);
	if (!counts(interval))
		return;
	memcpy(group, interval->names.comm, SCALER_COMM_SIZE);
	name_group_merge(group);
	row = find_row(waits, group, interval);
	name_group_add(&row->names, interval->names.comm);
	row->total_ns += interval->end_ns - interval->start_ns;
	row->count++;
}

static int compare_rows(const void *a, const void *b)
{
	return array_order(((const struct hot_wait *)b)->total_ns, ((const struct hot_wait *)a)->total_ns);
}

size_t hot_waits_sort(struct hot_waits *waits, size_t most)
{
	qsort(waits->rows, waits->count, sizeof(*waits->rows), compare_rows);
	return waits->count < most ? waits->count : most;
}
