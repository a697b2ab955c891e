// SPDX-License-Identifier: GPL-2.0-only
/* What one moment of a made-up schedule is attributed to, found without a graph and without a walk. */
#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>

static const struct scaler_blocking_interval *covering(const struct blocking_intervals *intervals,
						       uint32_t task, uint64_t at_ns)
{
	for (size_t i = 0; i < intervals->count; i++) {
		const struct scaler_blocking_interval *interval = &intervals->items[i];

		if (interval->where.task == task && interval->start_ns <= at_ns &&
		    (!interval->end_ns || at_ns < interval->end_ns))
			return interval;
	}
	return NULL;
}

/* The last of a task's that begins up to then, or the first one that begins later; NULL: there is none. */
static const struct scaler_blocking_interval *beside(const struct blocking_intervals *intervals,
						     uint32_t task, uint64_t at_ns, bool is_later)
{
	const struct scaler_blocking_interval *nearest = NULL;

	for (size_t i = 0; i < intervals->count; i++) {
		const struct scaler_blocking_interval *interval = &intervals->items[i];

		if (interval->where.task != task || (interval->start_ns > at_ns) != is_later)
			continue;
		if (!nearest || (interval->start_ns < nearest->start_ns) == is_later)
			nearest = interval;
	}
	return nearest;
}

/* Of a time at which it was in no interval: that it ran then. */
static bool is_known(const struct blocking_intervals *intervals, uint32_t task, uint64_t at_ns)
{
	const struct scaler_blocking_interval *before = beside(intervals, task, at_ns, false);
	const struct scaler_blocking_interval *after = beside(intervals, task, at_ns, true);

	if (before)
		return !after || after->number == before->number + 1;
	return schedule_known_since(task) && at_ns >= schedule_known_since(task) &&
	       !(after && after->flags & SCALER_BLOCKING_FOUND);
}

static enum chain_kind root_of(const struct scaler_blocking_interval *interval)
{
	const struct scaler_waker *waker = &interval->waker;

	if (!interval->woken_ns)
		return interval->end_ns ? CHAIN_UNSEEN : CHAIN_NOTHING;
	if (waker->context == SCALER_WAKER_TASK)
		return CHAIN_UNTRACED;
	if (waker->is_timer)
		return CHAIN_TIMER;
	if (waker->context == SCALER_WAKER_SOFTIRQ)
		return waker->vector == 4 ? CHAIN_DEVICE : CHAIN_NETWORK;
	return waker->context == SCALER_WAKER_NMI ? CHAIN_INTERRUPT : CHAIN_UNSEEN;
}

struct schedule_cause schedule_cause_of_wait(const struct blocking_intervals *intervals,
					     const struct scaler_blocking_interval *interval, uint64_t at_ns,
					     uint32_t depth)
{
	struct schedule_cause cause = { interval->where.task, depth, CHAIN_FLIGHT };

	if (interval->waker.worker)
		return schedule_cause_of_task(intervals, interval->waker.worker, at_ns, depth);
	if (interval->waker.context == SCALER_WAKER_WORKQUEUE)
		cause.kind = CHAIN_WORK;
	if (interval->waker.sent_ns && at_ns >= interval->waker.sent_ns)
		return cause;
	if (interval->waker.where.task)
		return schedule_cause_of_task(intervals, interval->waker.where.task, at_ns, depth);
	cause.kind = root_of(interval);
	return cause;
}

struct schedule_cause schedule_cause_of_task(const struct blocking_intervals *intervals, uint32_t task,
					     uint64_t at_ns, uint32_t depth)
{
	const struct scaler_blocking_interval *next = covering(intervals, task, at_ns);
	const struct scaler_blocking_interval *after = beside(intervals, task, at_ns, true);
	struct schedule_cause cause = { task, depth, CHAIN_RUNNABLE };

	if (!next && after && after->flags & SCALER_BLOCKING_CREATED)
		return schedule_cause_of_wait(intervals, after, at_ns, depth + 1);
	if (next && next->woken_ns && at_ns >= next->woken_ns) {
		cause.kind = at_ns < next->woken_ns + next->quota_ns ? CHAIN_QUOTA : CHAIN_RUNNABLE;
		return cause;
	}
	if (next)
		return schedule_cause_of_wait(intervals, next, at_ns, depth + 1);
	cause.kind = is_known(intervals, task, at_ns) ? CHAIN_RUNNING : CHAIN_TRUNCATED;
	return cause;
}
