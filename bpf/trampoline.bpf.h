/* SPDX-License-Identifier: GPL-2.0-only */
/* Where functions return to whose return addresses probes have replaced: what walks up stacks have to know. */
#ifndef SCALER_TRAMPOLINE_BPF_H
#define SCALER_TRAMPOLINE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include "compat.bpf.h"
#include "library_frames.bpf.h"

/* What stands in their place; 0: nothing. */
static __always_inline u64 trampoline_find(struct task_struct *task)
{
	return times_library_calls ? return_trampoline(task) : 0;
}

struct trampoline_search {
	struct library_stack *stack;
	u64 slot;
	u64 return_address; /* out; 0: none is open there */
};

static long trampoline_step(u32 index, void *data)
{
	struct trampoline_search *search = data;
	u64 depth = search->stack->depth;
	const struct library_frame *frame;

	if (index >= depth)
		return 1;
	frame = library_frame(search->stack, depth - 1 - index);
	if (frame->slot == search->slot)
		search->return_address = frame->return_address;
	return frame->slot >= search->slot;
}

/* What a return address of the current task was before a probe has replaced it; 0: not known. */
__weak __noinline u64 trampoline_return_address(u64 slot)
{
	struct trampoline_search search = { .slot = slot };

	search.stack = library_stack_find(bpf_get_current_task_btf());
	if (search.stack)
		bpf_loop(LIBRARY_FRAMES, trampoline_step, &search, 0);
	return search.return_address;
}

struct trampoline_copy {
	struct library_stack *stack;
	struct scaler_stuck_event *event;
	u64 trampoline;
	u64 bytes; /* of the copy that a word may begin at */
};

static long trampoline_restore_step(u32 index, void *data)
{
	struct trampoline_copy *copy = data;
	const struct library_frame *frame = library_frame(copy->stack, index);
	u64 at = frame->slot - copy->event->copy_start;

	if (index >= copy->stack->depth)
		return 1;
	barrier_var(at); /* the check must be on the register that is added */
	if (at < copy->bytes && *(u64 *)(copy->event->copy + at) == copy->trampoline)
		*(u64 *)(copy->event->copy + at) = frame->return_address;
	return 0;
}

/* Puts true return addresses in the place of what probes have put there. */
static __always_inline void trampoline_restore(struct scaler_stuck_event *event, struct task_struct *task,
					       u64 trampoline, const u32 limit)
{
	struct trampoline_copy copy = { .event = event,
					.trampoline = trampoline,
					.bytes = limit * SCALER_COPY_PAGE - sizeof(u64) + 1 };

	if (!times_library_calls)
		return;
	copy.stack = library_stack_find(task);
	if (copy.stack)
		bpf_loop(LIBRARY_FRAMES, trampoline_restore_step, &copy, 0);
}

/*
 * Makes of the frame of a task that is on its way back from a function whose return is probed that which it comes back
 * to. False: it is not.
 */
static __always_inline bool trampoline_leave(struct task_struct *task, u64 trampoline,
					     struct scaler_frame *frame)
{
	struct library_stack *stack;
	const struct library_frame *call;

	if (!trampoline || frame->pc - trampoline >= XOL_SLOT_BYTES)
		return false;
	stack = library_stack_find(task);
	if (!stack)
		return false;
	/* The call may just have been closed. Above its slot some words may have been pushed. */
	call = library_frame(stack, stack->depth);
	if (call->slot + SCALER_WORD - frame->sp > 3 * SCALER_WORD)
		call = library_frame(stack, stack->depth - 1);
	frame->pc = call->return_address;
	frame->sp = call->slot + SCALER_WORD;
	return true;
}

#endif
