/* SPDX-License-Identifier: GPL-2.0-only */
/* Who wakes a thread that waits on a futex says on which one it was last: it may have been moved there, or be one of several. */
#ifndef SCALER_MOVED_WAIT_BPF_H
#define SCALER_MOVED_WAIT_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <asm/unistd.h>
#include <linux/futex.h>
#include "compat.bpf.h"
#include "futex.bpf.h"
#include "numbers.bpf.h"
#include "requeue.bpf.h"

/* The futex whose waiters the current task wakes; 0: it is in no such call, or that has two. */
static __always_inline u64 futex_woken_at(struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	long number = call_number(regs);
	u32 command = call_argument(regs, 1) & FUTEX_CMD_MASK;

	if (number == __NR_futex_wake ||
	    (number == __NR_futex &&
	     (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET || command == FUTEX_UNLOCK_PI)))
		return call_argument(regs, 0);
	return 0;
}

/* What is left of a time that counts from then on, when a part of it is over. */
static __always_inline void timeout_go_on(struct scaler_resource *resource, u64 passed_ns)
{
	if (resource->timeout == SCALER_TIMEOUT_RELATIVE && resource->timeout_ns > passed_ns)
		resource->timeout_ns -= passed_ns;
}

/*
 * The current task, of its own accord, wakes another that waits on a futex since start_ns: if on another than it went to
 * sleep on, it has been moved there. Of several it is the one.
 */
static __noinline void requeue_find(struct moved_wait *moved, struct scaler_resource *resource,
				    struct task_struct *task, u64 start_ns)
{
	struct task_struct *current = bpf_get_current_task_btf();
	struct requeue_key key = {};
	const struct requeue *requeue;
	u64 woken_at;

	if (!moved || !resource || task->mm != current->mm || task_call_abi(current) != SCALER_ABI_NATIVE)
		return;
	woken_at = futex_woken_at(current);
	if (!woken_at || (resource->kind == SCALER_RESOURCE_FUTEX && woken_at == resource->id))
		return;
	if (resource->kind == SCALER_RESOURCE_FUTEXES) {
		resource->kind = SCALER_RESOURCE_FUTEX;
		resource->number = 0;
		futex_set_address(resource, current, woken_at);
		return;
	}
	key.memory = (u64)current->mm;
	key.from = resource->id;
	requeue = bpf_map_lookup_elem(&requeues, &key);
	if (requeue && (requeue->to != woken_at || requeue->when_ns < start_ns))
		requeue = NULL;
	/* Others may know it by another address. */
	if (!requeue && resource->flags & SCALER_RESOURCE_SHARED)
		return;
	moved->resource = *resource;
	futex_set_address(&moved->resource, current, woken_at);
	/* Who lets go of it had it. */
	moved->resource.owner = task_own_number(current);
	moved->when_ns = 0;
	if (!requeue)
		return;
	moved->when_ns = requeue->when_ns;
	moved->requeuer = requeue->requeuer;
	timeout_go_on(&moved->resource, requeue->when_ns - start_ns);
}

#endif
