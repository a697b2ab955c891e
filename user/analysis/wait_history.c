// SPDX-License-Identifier: GPL-2.0-only
/* The wait-for graph as it is kept: for each thread the times that it was off its CPU, and what ended them. */
#include "analysis/wait_history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/blocking_report.h"
#include "analysis/resources.h"
#include "base/array.h"
#include "model/softirq.h"

static struct history_thread *thread_at(const struct wait_history *history, size_t index)
{
	return (struct history_thread *)history->threads.items + index;
}

static struct history_thread *find_thread(const struct wait_history *history, uint32_t task)
{
	size_t index = distinct_find(&history->threads, &task, sizeof(task), sizeof(struct history_thread));

	return index == SIZE_MAX ? NULL : thread_at(history, index);
}

/* Added if there was none; NULL: there is no memory. */
static struct history_thread *get_thread(struct wait_history *history, uint32_t task)
{
	size_t count = history->threads.count;
	size_t index = distinct_add(&history->threads, &task, sizeof(task), sizeof(struct history_thread));

	if (index == SIZE_MAX)
		return NULL;
	if (index == count)
		thread_at(history, index)->shape = WAIT_SHAPE_NONE;
	return thread_at(history, index);
}

int wait_history_add_thread(struct wait_history *history, uint32_t task, const char comm[SCALER_COMM_SIZE],
			    uint64_t known_since_ns)
{
	struct history_thread *thread = get_thread(history, task);

	if (!thread)
		return -ENOMEM;
	if (!thread->known_since_ns)
		thread->known_since_ns = known_since_ns;
	thread->shape = wait_shape_of_name(&history->shapes, comm);
	return thread->shape == WAIT_SHAPE_NONE ? -ENOMEM : 0;
}

static enum wait_cause cause_of_softirq(const struct scaler_waker *waker)
{
	switch (waker->vector) {
	case SOFTIRQ_TIMER:
	case SOFTIRQ_HRTIMER:
		return WAIT_CAUSE_TIMER;
	case SOFTIRQ_NET_TX:
	case SOFTIRQ_NET_RX:
		return WAIT_CAUSE_NETWORK;
	case SOFTIRQ_BLOCK:
	case SOFTIRQ_IRQ_POLL:
		return WAIT_CAUSE_DEVICE;
	default:
		return WAIT_CAUSE_INTERRUPT;
	}
}

static enum wait_cause cause_of_held(enum scaler_resource_kind kind)
{
	return kind == SCALER_RESOURCE_STOPPED ? WAIT_CAUSE_STOPPED :
	       kind == SCALER_RESOURCE_TRACED  ? WAIT_CAUSE_TRACED :
						 WAIT_CAUSE_FROZEN;
}

static enum wait_cause find_cause(const struct scaler_blocking_interval *interval,
				  const struct scaler_block_request *request)
{
	const struct scaler_waker *waker = &interval->waker;

	if (scaler_resource_is_held(interval->resource.kind))
		return cause_of_held(interval->resource.kind);
	if (!interval->woken_ns)
		return interval->end_ns ? WAIT_CAUSE_UNSEEN : WAIT_CAUSE_NOTHING;
	if (waker->worker)
		return WAIT_CAUSE_TASK;
	if (waker_is_known(waker))
		return waker->where.task ? WAIT_CAUSE_TASK : WAIT_CAUSE_UNTRACED;
	if (request)
		return WAIT_CAUSE_DEVICE;
	if (waker->is_timer)
		return WAIT_CAUSE_TIMER;
	switch (waker_origin(waker)) {
	case SCALER_WAKER_SOFTIRQ:
		return cause_of_softirq(waker);
	case SCALER_WAKER_HARDIRQ:
		return waker->vector == SCALER_VECTOR_NONE ? WAIT_CAUSE_INTERRUPT : WAIT_CAUSE_DEVICE;
	case SCALER_WAKER_NMI:
		return WAIT_CAUSE_INTERRUPT;
	default:
		return WAIT_CAUSE_UNSEEN;
	}
}

static const struct scaler_socket *find_socket(const struct wait_history *history,
					       const struct scaler_blocking_interval *interval)
{
	return history->sockets ? resource_find_socket(history->sockets, &interval->resource) : NULL;
}

uint32_t wait_history_name(const struct wait_history *history, uint32_t task)
{
	const struct history_thread *thread = find_thread(history, task);

	return thread ? thread->shape : WAIT_SHAPE_NONE;
}

/* What a thread that is traced does of a workqueue is its own; of any other only who queued it can be told. */
static void set_waker(struct wait_history *history, const struct scaler_waker *waker,
		      const struct scaler_block_request *request, struct off_cpu *item)
{
	struct distinct *shapes = &history->shapes;

	if (waker->worker) {
		item->waker = waker->worker;
		item->waker_shape =
			wait_shape_of_worker(shapes, wait_history_name(history, waker->worker), waker);
		return;
	}
	item->waker = waker->where.task;
	item->sent_ns = waker->sent_ns;
	item->waker_shape = wait_shape_of_waker(shapes, waker, request ? request->device : 0);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int make_item(struct wait_history *history, const struct scaler_blocking_interval *interval,
		     const struct scaler_block_request *request, struct off_cpu *item)
{
	uint64_t end_ns = interval->end_ns ?: UINT64_MAX;
	/* Without a wakeup that was seen all of it counts as blocked, as it does for the thread. */
	uint64_t woken_ns = interval->woken_ns ?: end_ns;

	*item = (struct off_cpu){
		.start_ns = interval->start_ns,
		.woken_ns = woken_ns,
		.quota_ns = smaller(interval->quota_ns, end_ns - woken_ns),
		.end_ns = end_ns,
		.shape = wait_shape_of_waiter(&history->shapes, interval, find_socket(history, interval),
					      history->wall_clock_ns),
		.delay_shape = wait_shape_of_delay(&history->shapes, interval),
		.number = interval->number,
		.cause = find_cause(interval, request),
		.was_found = interval->flags & SCALER_BLOCKING_FOUND,
		.is_created = interval->flags & SCALER_BLOCKING_CREATED,
	};
	set_waker(history, &interval->waker, request, item);
	return item->shape == WAIT_SHAPE_NONE || item->waker_shape == WAIT_SHAPE_NONE ||
			       item->delay_shape == WAIT_SHAPE_NONE ?
		       -ENOMEM :
		       0;
}

struct off_cpu *wait_history_add(struct wait_history *history,
				 const struct scaler_blocking_interval *interval,
				 const struct scaler_block_request *request)
{
	struct history_thread *thread = get_thread(history, interval->where.task);
	struct off_cpu *items, item;
	size_t at;

	if (!thread || make_item(history, interval, request, &item))
		return NULL;
	items = array_reserve(thread->items, thread->count, &thread->capacity, sizeof(*items));
	if (!items)
		return NULL;
	thread->items = items;
	/* Nearly all come in their order. */
	at = thread->count;
	if (at && items[at - 1].start_ns >= item.start_ns)
		at = array_count_below(items, at, sizeof(*items), item.start_ns);
	if (at < thread->count && items[at].start_ns == item.start_ns) {
		if (items[at].end_ns == UINT64_MAX) {
			items[at] = item;
			thread->revision++;
		}
		return &items[at];
	}
	if (at < thread->count)
		thread->revision++;
	memmove(&items[at + 1], &items[at], (thread->count - at) * sizeof(*items));
	items[at] = item;
	thread->count++;
	history->item_count++;
	return &items[at];
}

static void drop_first(struct history_thread *thread, size_t count)
{
	const struct off_cpu *last = &thread->items[count - 1];

	thread->known_since_ns = last->end_ns;
	thread->forgotten = last->number;
	thread->revision++;
	thread->count -= count;
	memmove(thread->items, &thread->items[count], thread->count * sizeof(*thread->items));
	if (thread->count)
		return;
	free(thread->items);
	thread->items = NULL;
	thread->capacity = 0;
}

void wait_history_forget(struct wait_history *history, uint64_t before_ns)
{
	for (size_t i = 0; i < history->threads.count; i++) {
		struct history_thread *thread = thread_at(history, i);
		size_t old = 0;

		while (old < thread->count && thread->items[old].end_ns < before_ns)
			old++;
		/* Those that stay are moved: so each is once for each time that it is looked at. */
		if (old && old >= thread->count - old) {
			drop_first(thread, old);
			history->item_count -= old;
		}
	}
}

void wait_history_forget_open(struct wait_history *history)
{
	for (size_t i = 0; i < history->threads.count; i++) {
		struct history_thread *thread = thread_at(history, i);

		while (thread->count && thread->items[thread->count - 1].end_ns == UINT64_MAX) {
			thread->count--;
			thread->revision++;
			history->item_count--;
		}
	}
}

uint64_t wait_history_oldest(const struct wait_history *history)
{
	uint64_t oldest_ns = UINT64_MAX;

	for (size_t i = 0; i < history->threads.count; i++) {
		const struct history_thread *thread = thread_at(history, i);

		if (thread->count && thread->items[0].end_ns < oldest_ns)
			oldest_ns = thread->items[0].end_ns;
	}
	return oldest_ns;
}

bool history_thread_is_whole(const struct history_thread *thread, size_t index)
{
	uint32_t before = index ? thread->items[index - 1].number : thread->forgotten;

	return index == thread->count || !before || !thread->items[index].number ||
	       thread->items[index].number == before + 1;
}

const struct history_thread *wait_history_find(const struct wait_history *history, uint32_t task)
{
	const struct history_thread *thread = find_thread(history, task);

	return thread && (thread->count || thread->known_since_ns) ? thread : NULL;
}

struct off_cpu *wait_history_get(const struct wait_history *history, uint32_t task, uint64_t start_ns)
{
	const struct history_thread *thread = wait_history_find(history, task);
	size_t at;

	if (!thread)
		return NULL;
	at = array_count_below(thread->items, thread->count, sizeof(*thread->items), start_ns);
	return at < thread->count && thread->items[at].start_ns == start_ns ? &thread->items[at] : NULL;
}

void wait_history_clear(struct wait_history *history)
{
	for (size_t i = 0; i < history->threads.count; i++)
		free(thread_at(history, i)->items);
	distinct_clear(&history->threads);
	distinct_clear(&history->shapes);
	*history = (struct wait_history){ 0 };
}
