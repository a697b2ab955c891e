/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocking intervals as they begin: where each thread blocked, noted as it is switched out; and where it was put off its
 * CPU, or created. blocking_end.bpf.h has what follows.
 */
#ifndef SCALER_BLOCKING_BPF_H
#define SCALER_BLOCKING_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <asm/unistd.h>
#include <scaler/blocking.h>
#include "compat.bpf.h"
#include "blocking_state.bpf.h"
#include "descriptor.bpf.h"
#include "events.bpf.h"
#include "filter.bpf.h"
#include "held.bpf.h"
#include "kernel_place.bpf.h"
#include "maps.bpf.h"
#include "place.bpf.h"
#include "resource.bpf.h"
#include "sleep_state.bpf.h"

/* Set by user space before loading. */
const volatile bool records_blocking __weak;
const volatile bool records_delays
	__weak; /* and times that threads waited for a CPU without having been blocked */
const volatile __u64 blocking_least_ns __weak; /* shorter intervals are counted only */

/*
 * A thread that is not running stays in its system call, so that its registers tell which one. One that has been
 * interrupted, say by a stop of its process, goes on by a call of its own without arguments: it then is still in the
 * last one that it was blocked in, and on the same. True: it is in a call, of which the resource is not yet known.
 */
static __always_inline bool blocking_read_call(struct blocking_state *blocking, struct task_struct *task)
{
	struct scaler_blocking_interval *interval = &blocking->event.interval;
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	long number = call_number(regs);
	bool is_in_call = !(task->flags & TASK_KERNEL_FLAGS) && number >= 0;
	u8 abi = task_call_abi(task);

	interval->flags |= is_in_call ? SCALER_BLOCKING_IN_CALL : 0;
	if (blocking->was_in_call && is_in_call && abi == SCALER_ABI_NATIVE && number == __NR_restart_syscall)
		return false;
	blocking->was_in_call = is_in_call;
	__builtin_memset(&interval->resource, 0, sizeof(interval->resource));
	interval->call = (struct scaler_call_id){ .number = is_in_call ? number : 0, .abi = abi };
	return is_in_call;
}

static __always_inline void blocking_read_resource(struct blocking_state *blocking, struct task_struct *task)
{
	struct scaler_blocking_interval *interval = &blocking->event.interval;
	u32 number = interval->call.number;

	if (interval->call.abi != SCALER_ABI_NATIVE)
		return;
	resource_read(&interval->resource, task, (struct pt_regs *)bpf_task_pt_regs(task), number);
	if (call_first_is(SCALER_ABI_NATIVE, number) == SCALER_FIRST_REFINES)
		interval->call.descriptor = interval->resource.descriptor;
	blocking->epoll = epoll_find(&interval->resource, task);
	blocking->ring = ring_find(&interval->resource, task, (struct pt_regs *)bpf_task_pt_regs(task));
	if (interval->resource.kind == SCALER_RESOURCE_FILES)
		polled_find(&blocking->polled, task, (struct pt_regs *)bpf_task_pt_regs(task), number);
}

static __always_inline void blocking_clear(struct blocking_state *blocking,
					   const struct scaler_thread *thread, struct task_struct *task)
{
	struct scaler_blocking_interval *interval = &blocking->event.interval;

	blocking->epoll = 0;
	blocking->ring = 0;
	blocking->polled.count = 0;
	blocking->moved.resource.kind = SCALER_RESOURCE_NONE;
	blocking->held = SCALER_RESOURCE_NONE;
	interval->request = 0;
	/* What follows is kept until the call is read. */
	__builtin_memset(interval, 0, offsetof(struct scaler_blocking_interval, call));
	interval->where.task = thread->serial;
	interval->where.kind = SCALER_SAMPLE_WHOLE;
	interval->start_ns = thread->since_ns;
	task_read_names(&interval->names, task);
}

/* Of an interval that is handed out. */
static __always_inline void blocking_set_held(struct blocking_state *blocking)
{
	struct scaler_resource *resource = &blocking->event.interval.resource;

	__builtin_memset(resource, 0, sizeof(*resource));
	resource->kind = blocking->held;
}

/* A system call that can be interrupted says by itself what it waits for; all else the kernel's function does. */
static __always_inline bool blocking_needs_kernel(const struct scaler_blocking_interval *interval)
{
	return interval->state & STATE_UNINTERRUPTIBLE || !(interval->flags & SCALER_BLOCKING_IN_CALL);
}

/* The current task has just been switched out, and is blocked. */
static __always_inline void blocking_begin(void *context, struct task_state *state, struct task_struct *task,
					   u32 sleep_state)
{
	struct blocking_state *blocking = blocking_state_get(task);
	struct scaler_blocking_interval *interval;

	if (!blocking)
		return;
	interval = &blocking->event.interval;
	blocking_clear(blocking, &state->thread, task);
	interval->state = sleep_state;
	blocking->held = task_held(task, sleep_state);
	interval->cpu = bpf_get_smp_processor_id();
	if (blocking_read_call(blocking, task))
		blocking_read_resource(blocking, task);
	if (blocking_needs_kernel(interval))
		interval->where.kernel = kernel_place_find(context);
	place_find_at_switch(&interval->where, state, task);
}

/* The current task has just been put off its CPU. */
static __always_inline void blocking_put_off(struct task_state *state, struct task_struct *task)
{
	struct blocking_state *blocking = records_delays ? blocking_state_get(task) : NULL;
	struct scaler_blocking_interval *interval;

	if (!blocking)
		return;
	interval = &blocking->event.interval;
	blocking_clear(blocking, &state->thread, task);
	interval->flags = SCALER_BLOCKING_PUT_OFF;
	interval->cpu = bpf_get_smp_processor_id();
	place_find_at_switch(&interval->where, state, task);
}

/* The current task has created another. */
static __always_inline void blocking_created(struct task_state *state, struct task_struct *task)
{
	struct blocking_state *blocking = records_delays ? blocking_state_get(task) : NULL;

	if (!blocking)
		return;
	blocking_clear(blocking, &state->thread, task);
	blocking->event.interval.flags = SCALER_BLOCKING_CREATED;
	blocking->waker.context = SCALER_WAKER_TASK;
	blocking->waker.vector = SCALER_VECTOR_NONE;
	waker_read_task(&blocking->waker, bpf_get_current_task_btf());
}

/* A task has been found asleep: in an interval that began before. */
static __always_inline void blocking_found(struct task_state *state, struct task_struct *task)
{
	struct blocking_state *blocking = blocking_state_get(task);

	if (!blocking)
		return;
	blocking_clear(blocking, &state->thread, task);
	blocking->event.interval.state = task_sleep_state(task);
	blocking->event.interval.flags = SCALER_BLOCKING_FOUND;
	blocking->held = task_held(task, blocking->event.interval.state);
	if (blocking_read_call(blocking, task))
		blocking_read_resource(blocking, task);
	if (blocking_needs_kernel(&blocking->event.interval))
		blocking->event.interval.where.kernel = kernel_place_of(task);
}

#endif
