/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How library calls end: by a return, or with their thread or the recording. Whatever leaves functions without a
 * return, longjmp() or an exception, is put right by the next call or return, by the stack pointer.
 */
#ifndef SCALER_LIBRARY_STACK_BPF_H
#define SCALER_LIBRARY_STACK_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/probe_time.h>
#include "library_frames.bpf.h"
#include "library_rows.bpf.h"
#include "maps.bpf.h"
#include "own_stack.bpf.h"

/* The innermost; NULL: no call is open. */
static __always_inline struct library_frame *library_top(struct library_stack *stack)
{
	return stack->depth ? library_frame(stack, stack->depth - 1) : NULL;
}

/* Of the current task: the clock's time, and the thread's in its states at that time. */
static __always_inline void library_times_now(const struct scaler_thread *thread, struct scaler_times *times)
{
	/* The thread may be preempted in between, even more than once. */
	for (int i = 0; i < 4; i++) {
		u64 since_ns = *(volatile const u64 *)&thread->since_ns;

		times->total_ns = bpf_ktime_get_ns();
		times->runnable_ns = *(volatile const u64 *)&thread->time_ns[SCALER_RUNNABLE];
		times->blocked_ns = *(volatile const u64 *)&thread->time_ns[SCALER_BLOCKED];
		if (since_ns == *(volatile const u64 *)&thread->since_ns)
			break;
	}
}

/* What of the time of the call that this one was made from was this one, and the probes in it. */
static __always_inline void library_tell_caller(struct library_frame *caller, const struct scaler_times *call,
						u64 probes_ns)
{
	library_times_add(&caller->inner, call);
	caller->probes_ns += probes_ns;
}

/* Ends the call with that index, of which all deeper ones have ended. */
static __noinline int library_call_end(struct task_state *state, struct library_stack *stack, u32 index,
				       const struct scaler_times *now, enum library_end end)
{
	struct scaler_call_stats *stats;
	struct library_frame *frame;
	struct scaler_times call;
	u64 probes_ns;

	if (!state || !stack || !now)
		return 0;
	frame = library_frame(stack, index);
	call = frame->inner;
	probes_ns = frame->probes_ns;
	/* One that the recording cuts short may have been on its way in at the recording's end, and taken no time of it. */
	if (now->total_ns > frame->entered.total_ns) {
		call.total_ns = now->total_ns - frame->entered.total_ns;
		call.runnable_ns = now->runnable_ns - frame->entered.runnable_ns;
		call.blocked_ns = now->blocked_ns - frame->entered.blocked_ns;
		probes_ns = scaler_take_out_probes(&call, &frame->inner, probes_ns);
	}
	if (index) {
		struct library_frame *caller = library_frame(stack, index - 1);

		library_tell_caller(caller, &call, probes_ns + frame->outside_ns);
		library_tell_caller_row(state, caller, frame, &call);
	}
	stats = library_row(state, frame->context, frame->row);
	if (stats)
		library_add(stats, frame, &call, end);
	return 0;
}

/* What tells calls that are open from those that have been left without a return. */
struct library_position {
	struct task_state *state;
	struct library_stack *stack;
	u64 slot;   /* of the call that begins or ends */
	bool stays; /* a call with that slot is open: another has begun by a jump from it, or it ends itself */
};

static __always_inline bool library_frame_is_open(const struct library_frame *frame,
						  const struct library_position *at)
{
	return at->stays ? frame->slot >= at->slot : frame->slot > at->slot;
}

/* Calls that have been left, and when that shows. */
struct library_abandoning {
	const struct library_position *at;
	struct scaler_times now;
};

static long library_abandon_step(u32 index, void *data)
{
	const struct library_abandoning *abandoning = data;
	const struct library_position *at = abandoning->at;
	struct library_frame *frame = library_top(at->stack);

	if (!frame || library_frame_is_open(frame, at))
		return 1;
	library_call_end(at->state, at->stack, at->stack->depth - 1, &abandoning->now, LIBRARY_CUT_SHORT);
	at->stack->depth--;
	return 0;
}

/*
 * Drops the calls that are open no more, which have lasted up to now at most: what shows it is the first that the thread
 * does after the jump, of all that is seen. Returns the innermost that is open, or NULL.
 */
static __always_inline struct library_frame *library_repair(struct library_position *at)
{
	struct library_frame *frame = library_top(at->stack);
	struct library_abandoning abandoning = { .at = at };

	if (!frame || library_frame_is_open(frame, at))
		return frame;
	library_times_now(&at->state->thread, &abandoning.now);
	bpf_loop(LIBRARY_FRAMES, library_abandon_step, &abandoning, 0);
	return library_top(at->stack);
}

/* The current task's, a new one if it has none. NULL: no memory. */
static __always_inline struct library_stack *library_stack_get(struct task_struct *task,
							       struct task_state *state, u64 address_space)
{
	struct library_stack *stack = library_stack_make(task);
	struct library_position none = { .state = state, .stack = stack, .slot = ~0ULL };

	if (!stack || stack->mm == address_space)
		return stack;
	/* Its process executes another program: whatever was open has been left. */
	library_repair(&none);
	stack->mm = address_space;
	stack->low = stack->high = stack->trampoline = 0;
	return stack;
}

/* Of the innermost library call that the current task makes a system call in. */
static __always_inline u32 library_context(struct task_struct *task, struct task_state *state,
					   struct pt_regs *regs)
{
	/* A function's first instruction may be the system call's. */
	struct library_position at = { .state = state, .slot = stack_pointer(regs), .stays = true };
	const struct library_frame *top;

	if (!times_library_calls)
		return SCALER_CONTEXT_NONE;
	at.stack = library_stack_find(task);
	if (!at.stack || at.stack->mm != (u64)task->mm)
		return SCALER_CONTEXT_NONE;
	top = own_stack_has(at.stack, at.slot) ? library_repair(&at) : library_top(at.stack);
	return top ? top->context : SCALER_CONTEXT_NONE;
}

struct library_closing {
	struct task_state *state;
	struct library_stack *stack;
	struct scaler_times now;
	u32 depth;
	u32 zero;
};

static long library_close_step(u32 index, void *data)
{
	struct library_closing *closing = data;

	if (index >= closing->depth)
		return 1;
	library_call_end(closing->state, closing->stack, closing->depth - 1 - index, &closing->now,
			 LIBRARY_CUT_SHORT);
	return 0;
}

/* Ends all open calls of a task, with which none goes on within the recording; once. */
static __noinline int library_close(struct task_struct *task, struct task_state *state,
				    const struct scaler_times *now)
{
	struct library_closing closing = { .state = state };

	if (!task || !state || !now)
		return 0;
	closing.stack = library_stack_find(task);
	if (!closing.stack)
		return 0;
	closing.now = *now;
	closing.depth = __sync_lock_test_and_set(&closing.stack->depth, 0);
	bpf_loop(LIBRARY_FRAMES, library_close_step, &closing, 0);
	return 0;
}

/* The same of the current task: with its end, or when it executes another program. */
static __always_inline void library_close_current(struct task_struct *task, struct task_state *state,
						  u64 now_ns)
{
	const struct scaler_times now = {
		.total_ns = now_ns < window.end_ns ? now_ns : window.end_ns,
		.runnable_ns = state->thread.time_ns[SCALER_RUNNABLE],
		.blocked_ns = state->thread.time_ns[SCALER_BLOCKED],
	};

	if (times_library_calls)
		library_close(task, state, &now);
}

#endif
