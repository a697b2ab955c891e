/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the current task is in user space, and with which stack, told from within an interrupt or a switch. */
#ifndef SCALER_PLACE_BPF_H
#define SCALER_PLACE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <asm/unistd.h>
#include <scaler/event.h>
#include "compat.bpf.h"
#include "filter.bpf.h"
#include "open_call.bpf.h"
#include "stack.bpf.h"

/* Whether the task's registers are those of its user space, and of the address space that it has. */
static __always_inline bool task_is_user(struct task_struct *task, struct pt_regs *regs, bool in_kernel)
{
	long number = call_number(regs);

	if (!task_address_space(task) || task->flags & TASK_KERNEL_FLAGS)
		return false;
	return !in_kernel || (number != __NR_execve && number != __NR_execveat);
}

static __always_inline void place_walk(struct scaler_sample *place, u32 from)
{
	u32 found = sample_walk_stack(place, from);

	if (found & WALK_IS_STUCK)
		place->stack = stuck_number(WALK_OF_SAMPLE);
	if (found & WALK_IS_OWED)
		stuck_describe(WALK_OF_SAMPLE);
}

/* Of the current task, which is traced, in a system call, and is switched out or wakes another. */
static __always_inline void place_walk_call(struct scaler_sample *place)
{
	struct call_place call = {};
	u32 found = call_walk_stack(WALK_OF_SAMPLE, &call);

	if (found & WALK_IS_STUCK)
		call.stack = stuck_number(WALK_OF_SAMPLE);
	if (found & WALK_IS_OWED)
		stuck_describe(WALK_OF_SAMPLE);
	place->kind = SCALER_SAMPLE_IN_CALL;
	place->site = call.site;
	place->stack = call.stack;
}

/* Where calls may begin unseen, one that is recorded is known by the registers alone. */
static __always_inline bool task_is_in_unseen_call(struct task_struct *task, struct pt_regs *regs)
{
	return records_calls && scaler_calls_are_sampled(&call_window) &&
	       call_is_recorded(task_call_abi(task), call_number(regs));
}

static __always_inline enum walk_from place_walk_from(struct task_struct *task, struct pt_regs *regs,
						      bool in_kernel)
{
	if (!in_kernel || call_number(regs) < 0)
		return WALK_FROM_INTERRUPTED;
	return task_is_in_unseen_call(task, regs) ? WALK_FROM_CALL : WALK_FROM_KERNEL;
}

static __always_inline void place_of_call(struct scaler_sample *place, const struct scaler_open_call *call)
{
	place->kind = SCALER_SAMPLE_IN_CALL;
	place->site = call->site;
	place->stack = call->stack;
}

/* call: the one that it is in, if it was seen to begin. */
static __always_inline void place_find(struct scaler_sample *place, const struct scaler_open_call *call,
				       struct task_struct *task, bool in_kernel)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	if (in_kernel && call->enter_ns && open_call_is_placed(call)) {
		place_of_call(place, call);
	} else if (task_is_user(task, regs, in_kernel)) {
		place_walk(place, place_walk_from(task, regs, in_kernel));
	}
}

/* The current task is switched out, or wakes another; state: NULL: it is not traced. */
static __always_inline void place_find_at_switch(struct scaler_sample *place, struct task_state *state,
						 struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	if (state && state->thread.call.enter_ns && open_call_is_placed(&state->thread.call))
		place_of_call(place, &state->thread.call);
	else if (!task_is_user(task, regs, true))
		return;
	else if (state && stack_depth.frames && call_number(regs) >= 0)
		place_walk_call(place);
	else
		place_walk(place, place_walk_from(task, regs, true));
}

#endif
