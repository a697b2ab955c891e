/* SPDX-License-Identifier: GPL-2.0-only */
/* Who wakes a task, where in user space, and for which signal. */
#ifndef SCALER_WAKER_BPF_H
#define SCALER_WAKER_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/blocking.h>
#include "compat.bpf.h"
#include "interrupts.bpf.h"
#include "maps.bpf.h"
#include "network.bpf.h"
#include "numbers.bpf.h"
#include "place.bpf.h"
#include "signal.bpf.h"
#include "workqueue.bpf.h"

static __always_inline void task_read_names(struct scaler_task_names *names, struct task_struct *task)
{
	names->tgid = process_number(task);
	names->tid = task_number(task);
	__builtin_memcpy(names->comm, task->comm, sizeof(names->comm));
}

/* Who the current task is, that wakes or will wake another, where it is, and in which system call. */
static __always_inline void waker_read_task(struct scaler_waker *waker, struct task_struct *current)
{
	struct task_state *state = current->pid ? task_state_find(current) : NULL;
	long number = call_number((struct pt_regs *)bpf_task_pt_regs(current));

	__builtin_memset(&waker->where, 0, sizeof(waker->where));
	waker->where.kind = SCALER_SAMPLE_WHOLE;
	waker->where.task = state ? state->thread.serial : 0;
	waker->sent_ns = 0;
	waker->is_in_call = !(current->flags & TASK_KERNEL_FLAGS) && number >= 0;
	waker->call = (struct scaler_call_id){ .number = waker->is_in_call ? number : 0,
					       .abi = task_call_abi(current) };
	place_find_at_switch(&waker->where, state, current);
	task_read_names(&waker->names, current);
}

/* It is not known who it is, or nobody. */
static __always_inline void waker_clear_task(struct scaler_waker *waker)
{
	__builtin_memset(&waker->call, 0, sizeof(*waker) - offsetof(struct scaler_waker, call));
	waker->is_in_call = false;
	waker->where.kind = SCALER_SAMPLE_WHOLE;
}

/* include/linux/interrupt.h */
#define SOFTIRQ_NET_TX 2
#define SOFTIRQ_NET_RX 3

/* Whether the wakeup comes from where packets are delivered. */
static __always_inline bool waker_delivers(const struct scaler_waker *waker)
{
	return waker->context == SCALER_WAKER_SOFTIRQ && !waker->is_timer &&
	       (waker->vector == SOFTIRQ_NET_RX || waker->vector == SOFTIRQ_NET_TX);
}

/* Of an interrupt: the task that has sent what it has delivered, if it is a packet, and a task on this host has. */
static __always_inline void waker_read_sender(struct scaler_waker *waker,
					      const struct scaler_resource *resource)
{
	const struct network_sender *sender = NULL;

	if (waker_delivers(waker) && resource->kind == SCALER_RESOURCE_FILE &&
	    resource->descriptor == SCALER_DESCRIPTOR_SOCKET)
		sender = network_sender_to(resource->id);
	if (!sender) {
		waker_clear_task(waker);
		return;
	}
	waker->is_in_call = sender->task.is_in_call;
	waker->call = sender->task.call;
	waker->sent_ns = sender->task.sent_ns;
	waker->where = sender->task.where;
	waker->names = sender->task.names;
}

/* The current task does work that others have left to it: as what queued that. False: it does not. */
static __noinline bool waker_read_queuer(struct scaler_waker *waker)
{
	struct task_struct *current = bpf_get_current_task_btf();
	const struct queued_work *work = work_find(current);
	const struct task_state *state = work ? task_state_find(current) : NULL;

	if (!waker || !work)
		return false;
	*waker = work->queuer;
	waker->worker = state ? state->thread.serial : 0;
	return true;
}

/* The current task wakes another, or an interrupt that it was running into does, from what that waits on. The waker's
 * context has been read. */
static __always_inline void waker_read(struct scaler_waker *waker, struct task_struct *task,
				       const struct scaler_resource *resource)
{
	struct task_struct *current = bpf_get_current_task_btf();

	waker->queued_in = 0;
	waker->worker = 0;
	if (waker->context != SCALER_WAKER_TASK)
		waker_read_sender(waker, resource);
	else if (!waker_read_queuer(waker))
		waker_read_task(waker, current);
	waker->signal = signal_find(task);
}

#endif
