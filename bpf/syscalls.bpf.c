// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fold of system calls: counted and timed in the kernel per thread, call and kind of descriptor.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <asm/unistd.h>
#include "maps.bpf.h"
#include "blocking_end.bpf.h"
#include "call_fold.bpf.h"
#include "call_unseen.bpf.h"
#include "compat.bpf.h"
#include "cost.bpf.h"
#include "descriptor.bpf.h"
#include "filter.bpf.h"
#include "library_stack.bpf.h"
#include "open_call.bpf.h"
#include "site.bpf.h"
#include "stack.bpf.h"
#include "task_state.bpf.h"
#include "thread_repair.bpf.h"

struct scaler_call_row near_rows[SCALER_NEAR_ROWS];

/* A command just forked begins to count with its execve, if it need not have a name first. */
static __noinline bool dormant_begins(struct task_state *state, struct task_struct *task, long number)
{
	if (state->dormant != DORMANT_UNTIL_EXEC || number != __NR_execve)
		return false;
	if (target.comm[0]) {
		state->dormant = DORMANT_UNTIL_NAMED;
		return false;
	}
	task_state_begin(state, task, SCALER_RUNNING);
	return true;
}

/* Of the current task's call. */
static __always_inline void call_find_stack(void *ctx, struct scaler_open_call *call)
{
	struct call_place place = {};
	u32 found = call_walk_stack(WALK_OF_CALL, &place);

	call->site = place.site;
	call->stack = place.stack;
	if (found & WALK_IS_STUCK)
		call->stack = stuck_number(WALK_OF_CALL);
	if (found & WALK_IS_OWED)
		stuck_describe(WALK_OF_CALL);
	if (found & WALK_BEGINS_NEW && scaler_site_component(call->site))
		component_read_build_id(ctx, scaler_site_component(call->site));
}

static __always_inline void call_enter(void *ctx, struct task_state *state, struct task_struct *task,
				       struct pt_regs *regs, long number)
{
	struct scaler_open_call *call = &state->thread.call;

	if (state->thread.state != SCALER_RUNNING)
		thread_repair(state, task, bpf_ktime_get_ns());
	/* Past the end: the call before, which the recording cut short, stays. */
	if (window.end_ns != ~0ULL && call->enter_ns)
		return;
	if (scaler_call_is_stale(call, &call_window))
		call_end_unseen(state, bpf_ktime_get_ns());
	call->enter_ns = 0;
	call->part = SCALER_CALL_WHOLE;
	call->window = call_window.stamp;
	call->switches = (u32)(state->thread.voluntary + state->thread.involuntary);
	call->id.abi = task_call_abi(task);
	if (!call_is_recorded(call->id.abi, number))
		return;
	call->id.number = number;
	call->id.descriptor = call_descriptor(task, regs, call->id.abi, number);
	call->runnable_ns = state->thread.time_ns[SCALER_RUNNABLE];
	call->blocked_ns = state->thread.time_ns[SCALER_BLOCKED];
	if (!stack_depth.frames)
		call->site = site_find(ctx, task, &state->sites, call_address(regs));
	else if (!stack_recall(state, task, regs, call))
		call_find_stack(ctx, call);
	call->context = library_context(task, state, regs);
	call->row = call_row_expect(state, call);
	state->found_on_cpu = false;
	call->enter_ns = bpf_ktime_get_ns();
}

/* Not inline, for the sake of the way on which calls are recorded. */
static __noinline int call_count(struct task_struct *task, long number)
{
	const struct task_state *state;
	struct scaler_cpu_cost *cpu;

	if (!call_window.is_counting)
		return 0;
	state = task_state_find(task);
	if (state ? state->dormant : task->tgid != tracer_process)
		return 0;
	cpu = cpu_cost();
	if (!cpu || !call_is_recorded(task_call_abi(task), number))
		return 0;
	if (state)
		cpu->counted_calls++;
	else
		cpu->counted_own_calls++;
	return 0;
}

static __always_inline int call_begins(void *ctx, struct pt_regs *regs, long number)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state;

	if (!call_window.is_open)
		return call_count(task, number);
	/* There is one for each library call whose return is probed. */
	if (call_is_of_probe(task_call_abi(task), number))
		return 0;
	state = task_state_find(task);
	if (!state)
		return 0;
	if (state->dormant && !dormant_begins(state, task, number))
		return 0;
	cost_begin(SCALER_COST_CALLS);
	task_state_change_begin(state);
	call_enter(ctx, state, task, regs, number);
	task_state_change_end(state);
	cost_end(SCALER_COST_CALLS);
	return 0;
}

/* Whether the thread's call, whose beginning was missed, may have been entered before the window was opened. */
static __always_inline bool call_is_left_over(const struct scaler_thread *thread)
{
	return scaler_calls_are_sampled(&call_window) && call_window.is_open &&
	       thread->start_ns < call_window.opened_ns;
}

/* What of that call is in the window, and not accounted yet. */
static __always_inline void call_begin_part(struct scaler_thread *thread, u64 now_ns)
{
	u64 from_ns = call_window.opened_ns;

	if (from_ns < thread->since_ns)
		from_ns = thread->since_ns;
	/* It was opened just now. */
	thread->call.enter_ns = from_ns < now_ns ? from_ns : now_ns;
	thread->call.runnable_ns = thread->time_ns[SCALER_RUNNABLE];
	thread->call.blocked_ns = thread->time_ns[SCALER_BLOCKED];
	thread->call.window = call_window.stamp;
	thread->call.part = SCALER_CALL_LEFT_OVER;
}

/* The number comes from the registers if the beginning of the call was missed. False: it was no call. */
static __always_inline bool call_find(struct task_state *state, struct task_struct *task,
				      struct pt_regs *regs, u64 now_ns)
{
	bool found_on_cpu = state->found_on_cpu;
	long number = call_number(regs);

	state->found_on_cpu = false;
	if (state->thread.call.enter_ns)
		return true;
	/* A new thread's first return to user space, say, is from its creator's call. */
	state->thread.call.id.abi = task_call_abi(task);
	if (number < 0 || !call_is_recorded(state->thread.call.id.abi, number))
		return false;
	if (!found_on_cpu && !call_is_left_over(&state->thread))
		return false;
	if (!found_on_cpu)
		call_begin_part(&state->thread, now_ns);
	state->thread.call.id.number = number;
	state->thread.call.id.descriptor = call_descriptor(task, regs, state->thread.call.id.abi, number);
	state->thread.call.site = scaler_site(0, call_address(regs));
	state->thread.call.context = SCALER_CONTEXT_NONE;
	state->thread.call.row = 0;
	return true;
}

/* A call that the thread was found in, or whose mappings were being changed when it entered. */
static __always_inline void call_place_late(void *ctx, struct scaler_open_call *call,
					    struct task_struct *task)
{
	switch (call->id.number) {
	case __NR_execve:
	case __NR_execveat:
	case __NR_rt_sigreturn:
		return; /* what it was called from is gone */
	}
	if (stack_depth.frames)
		call_find_stack(ctx, call);
	else
		call->site = site_search(ctx, task, scaler_site_offset(call->site));
	call->row = 0;
}

/* Not inline, for the stack's sake. */
static __noinline void address_space_changed_in(struct task_struct *task)
{
	u64 key = task_address_space(task);

	address_space_changed(key);
}

static __always_inline void call_exit(void *ctx, struct task_state *state, struct task_struct *task,
				      struct pt_regs *regs, long result)
{
	struct scaler_open_call *call = &state->thread.call;
	u64 now_ns;

	/* As a return probe's own call ends, which has no number then. */
	if (call_number(regs) < 0 && !call->enter_ns && !state->found_on_cpu)
		return;
	/* Before the fold's own work, which on a row's first call takes microseconds. */
	now_ns = bpf_ktime_get_ns();
	/* After the end the call stays open: the recording cut it short. */
	if (now_ns >= window.end_ns)
		return;
	if (state->thread.state != SCALER_RUNNING)
		thread_repair(state, task, now_ns);
	if (now_ns >= window.start_ns && call_find(state, task, regs, now_ns)) {
		if (!open_call_is_placed(call) && !open_call_take_place(state, call))
			call_place_late(ctx, call, task);
		call_fold_add(state, result, now_ns);
	}
	if (result >= 0 && call_maps_code(task, call->id.abi, regs)) {
		address_space_changed_in(task);
		if (call_number(regs) == __NR_execve || call_number(regs) == __NR_execveat)
			library_close_current(task, state, now_ns);
	}
	call->enter_ns = 0;
	call->part = SCALER_CALL_WHOLE;
}

/*
 * At the exit of a call of a task that is not traced: another of its process may be, or one that it shares
 * memory with in some other way.
 */
static __noinline void address_space_changed_by_other(struct task_struct *task, struct pt_regs *regs)
{
	u64 key;

	if (!call_maps_code(task, task_call_abi(task), regs))
		return;
	key = task_address_space(task);
	if (bpf_map_lookup_elem(&address_spaces, &key))
		address_space_changed(key);
}

static __always_inline int call_ends(void *ctx, struct pt_regs *regs, long result)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = task_state_find(task);

	if (!state || state->dormant) {
		if (result >= 0)
			address_space_changed_by_other(task, regs);
		return 0;
	}
	cost_begin(SCALER_COST_CALLS);
	task_state_change_begin(state);
	call_exit(ctx, state, task, regs, result);
	task_state_change_end(state);
	cost_end(SCALER_COST_CALLS);
	return 0;
}

/* One pair of these is loaded: user/probe/programs.c has the kernel features that each needs. */

SEC("?tp_btf/sys_enter")
int BPF_PROG(scaler_sys_enter, struct pt_regs *regs, long number)
{
	return call_begins(ctx, regs, number);
}

SEC("?tp_btf/sys_exit")
int BPF_PROG(scaler_sys_exit, struct pt_regs *regs, long result)
{
	return call_ends(ctx, regs, result);
}

static __always_inline struct pt_regs *current_registers(void)
{
	return (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

SEC("?raw_tp/sys_enter")
int scaler_sys_enter_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return call_begins(ctx, current_registers(), (long)ctx->args[1]);
}

SEC("?raw_tp/sys_exit")
int scaler_sys_exit_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return call_ends(ctx, current_registers(), (long)ctx->args[1]);
}

/* Of each system call its own function, which gets the registers and returns the result. */

SEC("?kprobe.multi")
int scaler_call_function(struct pt_regs *ctx)
{
	struct pt_regs *regs = current_registers();

	return call_begins(ctx, regs, call_number(regs));
}

SEC("?kretprobe.multi")
int scaler_call_function_return(struct pt_regs *ctx)
{
	return call_ends(ctx, current_registers(), (long)PT_REGS_RC(ctx));
}
