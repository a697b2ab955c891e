/* SPDX-License-Identifier: GPL-2.0-only */
/* Where functions return to whose return addresses probes have replaced: what walks up stacks have to know. */
#ifndef SCALER_TRAMPOLINE_BPF_H
#define SCALER_TRAMPOLINE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include "compat.bpf.h"
#include "library_frames.bpf.h"

/*
 * The kernel keeps a list of them for each thread, the newest first: our probes', those of other tracers, and those
 * that a child has with its parent's stack, which is not followed yet.
 */
#define MAX_PENDING_RETURNS 64 /* kernel/events/uprobes.c: MAX_URETPROBE_DEPTH */

struct pending_return {
	struct return_instance *instance; /* NULL: there are no more */
	u64 slot;                         /* where on the stack the return address was */
	u64 return_address;
};

static __always_inline struct return_instance *pending_returns(struct task_struct *task)
{
	struct uprobe_task *probed;

	if (!bpf_core_type_exists(struct return_instance))
		return NULL;
	probed = BPF_CORE_READ(task, utask);
	return probed ? BPF_CORE_READ(probed, return_instances) : NULL;
}

/* Reads an instance and goes to the next. False: there is none. */
static __always_inline bool pending_return_next(struct pending_return *pending)
{
	struct return_instance *instance = pending->instance;

	if (!instance)
		return false;
	pending->slot = BPF_CORE_READ(instance, stack);
	pending->return_address = BPF_CORE_READ(instance, orig_ret_vaddr);
	pending->instance = BPF_CORE_READ(instance, next);
	return true;
}

struct trampoline_search {
	struct pending_return pending;
	u64 slot;
	u64 return_address; /* out; 0: none is open there */
};

static long trampoline_step(u32 index, void *data)
{
	struct trampoline_search *search = data;

	if (!pending_return_next(&search->pending))
		return 1;
	if (search->pending.slot == search->slot)
		search->return_address = search->pending.return_address;
	return search->pending.slot >= search->slot;
}

/* What a return address of the current task was before a probe has replaced it; 0: not known. */
__weak __noinline u64 trampoline_return_address(u64 slot)
{
	struct trampoline_search search = { .slot = slot };

	search.pending.instance = pending_returns(bpf_get_current_task_btf());
	bpf_loop(MAX_PENDING_RETURNS, trampoline_step, &search, 0);
	return search.return_address;
}

struct trampoline_copy {
	struct pending_return pending;
	struct scaler_stuck_event *event;
	u64 trampoline;
	u64 bytes; /* of the copy that a word may begin at */
};

static long trampoline_restore_step(u32 index, void *data)
{
	struct trampoline_copy *copy = data;
	u64 at;

	if (!pending_return_next(&copy->pending))
		return 1;
	at = copy->pending.slot - copy->event->copy_start;
	barrier_var(at); /* the check must be on the register that is added */
	if (at < copy->bytes && *(u64 *)(copy->event->copy + at) == copy->trampoline)
		*(u64 *)(copy->event->copy + at) = copy->pending.return_address;
	return 0;
}

/* Puts true return addresses in the place of what probes have put there. */
static __always_inline void trampoline_restore(struct scaler_stuck_event *event, struct task_struct *task,
					       u64 trampoline, const u32 limit)
{
	struct trampoline_copy copy = { .event = event,
					.trampoline = trampoline,
					.bytes = limit * SCALER_COPY_PAGE - sizeof(u64) + 1 };

	if (!trampoline)
		return;
	copy.pending.instance = pending_returns(task);
	bpf_loop(MAX_PENDING_RETURNS, trampoline_restore_step, &copy, 0);
}

/* Whether a frame on the trampoline is that of this return: the code there pushes up to three words. */
static __always_inline bool trampoline_is_left(const struct pending_return *pending,
					       const struct scaler_frame *frame)
{
	return pending->slot + SCALER_WORD - frame->sp <= 3 * SCALER_WORD;
}

/*
 * Makes of the frame of a task that is on its way back from a function whose return is probed that which it comes back
 * to. False: it is not.
 */
static __always_inline bool trampoline_leave(struct task_struct *task, u64 trampoline,
					     struct scaler_frame *frame)
{
	struct pending_return pending = {};
	struct library_stack *stack;
	const struct library_frame *call;

	if (!trampoline || frame->pc - trampoline >= XOL_SLOT_BYTES)
		return false;
	pending.instance = pending_returns(task);
	if (!pending_return_next(&pending) || !trampoline_is_left(&pending, frame)) {
		/* The kernel has taken it off its list, and our program has closed the call. */
		stack = library_stack_find(task);
		if (!stack)
			return false;
		call = library_frame(stack, stack->depth);
		pending.slot = call->slot;
		pending.return_address = call->return_address;
		if (!trampoline_is_left(&pending, frame))
			return false;
	}
	frame->pc = pending.return_address;
	frame->sp = pending.slot + SCALER_WORD;
	return true;
}

#endif
