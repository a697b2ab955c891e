/* SPDX-License-Identifier: GPL-2.0-only */
/* Blocking intervals as they end: what woke the thread; told to user space when it is switched in again. */
#ifndef SCALER_BLOCKING_END_BPF_H
#define SCALER_BLOCKING_END_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/blocking.h>
#include "block_request.bpf.h"
#include "blocking.bpf.h"
#include "blocking_state.bpf.h"
#include "cpu_holder.bpf.h"
#include "events.bpf.h"
#include "maps.bpf.h"
#include "moved_wait.bpf.h"

/* A descriptor that has become ready says more than the set that it is in. */
static __always_inline void blocking_take_place(struct scaler_blocking_interval *interval,
						const struct placed_interval *placed)
{
	interval->where.site = placed->site;
	interval->where.stack = placed->stack;
	if (!(interval->resource.flags & (SCALER_RESOURCE_SET | SCALER_RESOURCE_RING)))
		interval->resource = placed->resource;
}

/*
 * What is known of the interval that a thread is in, or ends. Of one whose beginning was missed, which is rare, it is
 * not looked for what the thread waits on.
 */
static __always_inline void blocking_complete(struct blocking_state *blocking, struct task_struct *task,
					      const struct scaler_thread *thread)
{
	struct scaler_blocking_interval *interval = &blocking->event.interval;

	interval->number = blocking->told + 1;
	if (interval->start_ns != thread->since_ns) {
		blocking_clear(blocking, thread, task);
		if (thread->state == SCALER_BLOCKED)
			blocking_read_call(blocking, task);
		else
			interval->flags = SCALER_BLOCKING_PUT_OFF;
	}
	if (interval->flags & SCALER_BLOCKING_NOT) {
		interval->woken_ns = interval->start_ns;
		if (interval->flags & SCALER_BLOCKING_CREATED)
			interval->waker = blocking->waker;
		return;
	}
	if (interval->flags & SCALER_BLOCKING_FOUND && interval->start_ns == blocking->placed.start_ns)
		blocking_take_place(interval, &blocking->placed);
	if (!thread->woken_ns)
		return;
	interval->woken_ns = thread->woken_ns < thread->since_ns ? thread->since_ns : thread->woken_ns;
	interval->waker = blocking->waker;
	if (interval->waker.context == SCALER_WAKER_UNSEEN)
		interval->waker.context = SCALER_WAKER_UNKNOWN;
}

/*
 * A thread that polls goes on. One packet may end a connection's state, which wakes, and only then bring what is to be
 * read: if nothing was ready when the network woke the thread, what is ready now was meant.
 */
static __noinline void blocking_read_ready(struct blocking_state *blocking)
{
	struct scaler_blocking_interval *interval = &blocking->event.interval;

	if (!blocking->polled.count || !waker_delivers(&interval->waker) ||
	    !polled_read_ready(&interval->resource, &blocking->polled))
		return;
	waker_read_sender(&interval->waker, &interval->resource);
}

/* Whether a thread in that state is in an interval that is told. */
static __always_inline bool blocking_is_told(const struct scaler_thread *thread)
{
	return (thread->state == SCALER_BLOCKED || (records_delays && thread->state == SCALER_RUNNABLE)) &&
	       thread->since_ns < window.end_ns;
}

static __always_inline void blocking_send(struct blocking_state *blocking)
{
	if (bpf_ringbuf_output(&events, &blocking->event,
			       blocking->event.interval.request ?
				       sizeof(blocking->event) :
				       offsetof(struct scaler_blocking_event, request),
			       event_wakes_late()))
		loss_count(SCALER_LOSS_BLOCKING);
	blocking->told++;
}

/* Of a wait that was moved from one futex to another: what it was on first is an interval, and the rest is the next. */
static __noinline void blocking_tell_moved(struct blocking_state *blocking)
{
	struct scaler_blocking_interval *interval = &blocking->event.interval;
	const struct moved_wait *moved = &blocking->moved;
	u64 woken_ns = interval->woken_ns;

	if (moved->when_ns) {
		interval->woken_ns = interval->end_ns = moved->when_ns;
		interval->waker = moved->requeuer;
		interval->request = 0;
		__builtin_memset(interval->cpu_holder, 0, sizeof(interval->cpu_holder));
		blocking_send(blocking);
		interval->number = blocking->told + 1;
		interval->flags &= ~SCALER_BLOCKING_FOUND;
		interval->start_ns = moved->when_ns;
		interval->woken_ns = woken_ns;
		interval->waker = blocking->waker;
	}
	interval->resource = moved->resource;
}

/* What the thread was in before it was held is kept: it may go on with it. */
static __noinline void blocking_tell_whole(struct blocking_state *blocking)
{
	struct scaler_resource *resource = &blocking->event.interval.resource;
	const struct scaler_resource asked_for = *resource;

	if (!blocking->held) {
		blocking_send(blocking);
		return;
	}
	blocking_set_held(blocking);
	blocking_send(blocking);
	*resource = asked_for;
}

/* Of one that has not ended nobody knows yet how long it is. */
static __always_inline bool blocking_is_filtered(const struct scaler_thread *thread, u64 end_ns)
{
	u64 until_ns = thread->woken_ns ?: end_ns;

	return blocking_least_ns && end_ns && until_ns < thread->since_ns + blocking_least_ns;
}

/* The thread is in no interval now. */
static __always_inline void blocking_forget(struct blocking_state *blocking)
{
	blocking->event.interval.start_ns = 0;
	blocking->moved.resource.kind = SCALER_RESOURCE_NONE;
	blocking->waker.context = SCALER_WAKER_UNSEEN;
	blocking->epoll = 0;
	blocking->ring = 0;
	blocking->polled.count = 0;
}

/* is_switched_in: to the CPU that this runs on, and now. */
static __always_inline void blocking_tell(const struct scaler_thread *thread, struct task_struct *task,
					  bool is_switched_in, u64 end_ns, u64 quota_ns)
{
	struct scaler_blocking_interval *interval;
	struct blocking_state *blocking;

	if (!blocking_is_told(thread))
		return;
	blocking = blocking_state_get(task);
	if (!blocking) {
		loss_count(SCALER_LOSS_BLOCKING_STORAGE);
		return;
	}
	if (blocking_is_filtered(thread, end_ns)) {
		loss_count(SCALER_FILTERED_BLOCKING);
		blocking_forget(blocking);
		return;
	}
	blocking_complete(blocking, task, thread);
	if (is_switched_in)
		blocking_read_ready(blocking);
	blocking->event.kind = SCALER_EVENT_BLOCKING;
	if (blocking->moved.resource.kind)
		blocking_tell_moved(blocking);
	interval = &blocking->event.interval;
	interval->end_ns = end_ns;
	interval->quota_ns = quota_ns;
	if (records_delays && is_switched_in && interval->woken_ns)
		cpu_holder_read(interval->cpu_holder, interval->woken_ns);
	else
		__builtin_memset(interval->cpu_holder, 0, sizeof(interval->cpu_holder));
	blocking_tell_whole(blocking);
	blocking_forget(blocking);
}

/* A task goes on at that time: tells the interval that it may have been in. Before its thread enters its new state. */
static __always_inline void blocking_end(struct task_state *state, struct task_struct *task,
					 bool is_switched_in, u64 now_ns, u64 quota_ns)
{
	if (now_ns >= window.start_ns)
		blocking_tell(&state->thread, task, is_switched_in, now_ns, quota_ns);
}

/* The current task exits, and goes on only since the recording has ended: its interval has not. */
static __always_inline void blocking_exit(struct task_state *state, struct task_struct *task)
{
	struct blocking_state *blocking = blocking_state_get(task);

	blocking_tell(&state->thread, task, false, 0, 0);
	if (blocking)
		blocking->exited = state->thread.serial;
}

static __always_inline void blocking_read_request(struct scaler_blocking_event *event,
						  struct task_struct *task, u32 context)
{
	const struct scaler_block_request *request =
		request_awaited(task, context, &event->interval.resource);

	event->interval.request = request != NULL;
	if (request)
		event->request = *request;
}

static __always_inline bool blocking_is_on_futex(const struct blocking_state *blocking)
{
	const struct scaler_blocking_interval *interval = &blocking->event.interval;

	return interval->start_ns && (interval->resource.kind == SCALER_RESOURCE_FUTEX ||
				      interval->resource.kind == SCALER_RESOURCE_FUTEXES);
}

/* The current task wakes another, or an interrupt that it was running into does. */
static __always_inline void blocking_woken(struct task_struct *task)
{
	/* From an interrupt none might be made; there is one since the thread is traced. */
	struct blocking_state *blocking = blocking_state_find(task);

	if (!blocking)
		return;
	if (blocking->epoll) {
		epoll_read_ready(&blocking->event.interval.resource, blocking->epoll);
		blocking->epoll = 0;
	}
	if (blocking->polled.count &&
	    polled_read_ready(&blocking->event.interval.resource, &blocking->polled))
		blocking->polled.count = 0;
	waker_read_context(&blocking->waker, bpf_get_current_task_btf());
	if (blocking_is_on_futex(blocking) && blocking->waker.context == SCALER_WAKER_TASK)
		requeue_find(&blocking->moved, &blocking->event.interval.resource, task,
			     blocking->event.interval.start_ns);
	if (blocking->ring && !(blocking->waker.context == SCALER_WAKER_HARDIRQ && blocking->waker.is_timer))
		ring_read_completed(&blocking->event.interval.resource, blocking->ring, task);
	waker_read(&blocking->waker, task, &blocking->event.interval.resource);
	blocking_read_request(&blocking->event, task, blocking->waker.context);
	if (blocking->waker.context == SCALER_WAKER_TASK && !blocking->waker.where.task)
		blocking->waker.where.task = blocking_exited();
}

#endif
