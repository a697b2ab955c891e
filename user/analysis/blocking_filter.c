// SPDX-License-Identifier: GPL-2.0-only
/* Which blocking intervals are reported. */
#include "analysis/blocking_filter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

char blocking_state_letter(uint32_t state)
{
	/* include/linux/sched.h: TASK_NOLOAD, with TASK_UNINTERRUPTIBLE, is TASK_IDLE. */
	static const struct {
		uint32_t bits;
		char letter;
	} letters[] = {
		{ 0x402, 'I' }, { 0x1, 'S' }, { 0x2, 'D' }, { 0x4, 'T' }, { 0x8, 't' }, { 0x40, 'P' },
	};

	for (size_t i = 0; i < ARRAY_SIZE(letters); i++) {
		if ((state & letters[i].bits) == letters[i].bits)
			return letters[i].letter;
	}
	return '?';
}

static bool is_of_task(const struct globs *tasks, const struct scaler_task_names *names)
{
	char comm[sizeof(names->comm) + 1] = "", tid[sizeof("4294967295")];

	memcpy(comm, names->comm, sizeof(names->comm));
	snprintf(tid, sizeof(tid), "%" PRIu32, names->tid);
	return globs_match(tasks, comm) || globs_match(tasks, tid);
}

bool blocking_filter_fits(const struct blocking_filter *filter,
			  const struct scaler_blocking_interval *interval, uint64_t blocked_ns,
			  uint64_t recording_start_ns)
{
	if (blocked_ns < filter->least_ns)
		return false;
	if (interval->end_ns && interval->end_ns < recording_start_ns + filter->since_ns)
		return false;
	if (filter->until_ns && interval->start_ns >= recording_start_ns + filter->until_ns)
		return false;
	if (filter->states && !strchr(filter->states, blocking_state_letter(interval->state)))
		return false;
	return !filter->tasks.count || is_of_task(&filter->tasks, &interval->names);
}

bool blocking_filter_is_empty(const struct blocking_filter *filter)
{
	return !filter->least_ns && !filter->since_ns && !filter->until_ns && !filter->states &&
	       !filter->tasks.count && !filter->functions.count;
}
