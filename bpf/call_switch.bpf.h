/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls by the switches of their threads, while it is not seen when they begin and end: what a thread is off its
 * CPU in a call is added to that call, which its registers name.
 */
#ifndef SCALER_CALL_SWITCH_BPF_H
#define SCALER_CALL_SWITCH_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include "call_fold.bpf.h"
#include "call_unseen.bpf.h"
#include "compat.bpf.h"
#include "descriptor.bpf.h"
#include "filter.bpf.h"
#include "place.bpf.h"
#include "scratch.bpf.h"
#include "site.bpf.h"

/* What a walk finds, which has no room on the stack. */
SCRATCHES(call_places, struct scaler_sample, 1);

/* The current task is off its CPU, and in a call whose beginning was missed. False: it is in none. */
static __noinline bool call_found_by_switch(struct task_state *state, struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct scaler_open_call *call = &state->thread.call;
	long number = call_number(regs);
	u8 abi = task_call_abi(task);

	if (task->flags & TASK_KERNEL_FLAGS || number < 0 || !call_is_recorded(abi, number))
		return false;
	call->id.abi = abi;
	call->id.number = number;
	call->id.descriptor = call_descriptor(task, regs, abi, number);
	call->site = 0;
	call->stack = SCALER_STACK_NONE;
	call->context = SCALER_CONTEXT_NONE;
	call->row = 0;
	call->runnable_ns = state->thread.time_ns[SCALER_RUNNABLE];
	call->blocked_ns = state->thread.time_ns[SCALER_BLOCKED];
	call->window = call_window.stamp;
	call->part = SCALER_CALL_SLEEP;
	call->enter_ns = state->thread.since_ns;
	return true;
}

/* By an earlier walk, of which code may have been mapped since that nobody has seen. */
static __noinline bool call_recall_place(struct task_state *state, struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	known_sites_update(&state->sites, all_mappings_changes);
	return stack_depth.frames && stack_recall(state, task, regs, &state->thread.call);
}

/* Of the current task's. */
static __always_inline void call_find_place(struct task_state *state, struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct scaler_sample *place;
	u32 zero = 0;

	if (call_recall_place(state, task))
		return;
	state->thread.call.site = scaler_site(0, call_address(regs));
	place = bpf_map_lookup_elem(&call_places, &zero);
	if (!place || !task_is_user(task, regs, true))
		return;
	__builtin_memset(place, 0, sizeof(*place));
	place_walk(place, WALK_FROM_CALL);
	state->thread.call.site = place->site ?: state->thread.call.site;
	state->thread.call.stack = place->stack;
}

/* The current task has been switched out. */
static __always_inline void call_switched_out(struct task_state *state, struct task_struct *task, u64 now_ns)
{
	if (!records_calls || !scaler_calls_are_sampled(&call_window) || now_ns >= window.end_ns)
		return;
	if (!state->thread.call.enter_ns && call_found_by_switch(state, task))
		call_find_place(state, task);
}

/* Before that: what it was in may be over. */
static __always_inline void call_switches_out(struct task_state *state, u64 now_ns)
{
	if (records_calls && scaler_call_is_stale(&state->thread.call, &call_window) &&
	    now_ns < window.end_ns)
		call_end_unseen(state, now_ns);
}

/* The task has been switched in: whether its call goes on is not seen, or not by whom. */
static __always_inline void call_switched_in(struct task_state *state, u64 now_ns)
{
	struct scaler_open_call *call = &state->thread.call;

	if (!records_calls || !scaler_calls_are_sampled(&call_window) || now_ns >= window.end_ns)
		return;
	if (call->enter_ns && (call->part != SCALER_CALL_WHOLE || !call_window.is_open))
		call_end_at_switch(state, now_ns);
}

#endif
