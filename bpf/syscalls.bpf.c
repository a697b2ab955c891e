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
#include "call_rows.bpf.h"
#include "call_stats.bpf.h"
#include "compat.bpf.h"
#include "descriptor.bpf.h"
#include "filter.bpf.h"
#include "library_stack.bpf.h"
#include "open_call.bpf.h"
#include "process_events.bpf.h"
#include "site.bpf.h"
#include "stack.bpf.h"
#include "task_state.bpf.h"

#define ERRNO_LIMIT 4095 /* include/linux/err.h: MAX_ERRNO */

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

/* Whoever makes a system call is running: a switch-in that was not seen shows here at the latest. */
static __noinline void thread_repair(struct task_state *state, struct task_struct *task, u64 now_ns)
{
	u64 ran_ns = task->se.sum_exec_runtime - state->exec_runtime_ns;

	if (records_blocking)
		blocking_end(state, task, false, scaler_thread_clock(&state->thread, now_ns) - ran_ns);
	scaler_thread_found_running(&state->thread, &window, now_ns, ran_ns);
}

/* Of the current task's call. */
static __always_inline void call_find_stack(void *ctx, struct scaler_open_call *call)
{
	u32 found = call_walk_stack();

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

static __always_inline int call_begins(void *ctx, struct pt_regs *regs, long number)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state;

	/* There is one for each library call whose return is probed. */
	if (call_is_of_probe(task_call_abi(task), number))
		return 0;
	state = task_state_find(task);
	if (!state)
		return 0;
	if (state->dormant && !dormant_begins(state, task, number))
		return 0;
	task_state_change_begin(state);
	call_enter(ctx, state, task, regs, number);
	task_state_change_end(state);
	return 0;
}

/* Of the call that a thread is in, up to now. */
static __always_inline struct scaler_times call_times(const struct scaler_thread *thread, u64 now_ns)
{
	const struct scaler_open_call *call = &thread->call;

	return (struct scaler_times){
		.total_ns = now_ns - call->enter_ns,
		.runnable_ns = thread->time_ns[SCALER_RUNNABLE] - call->runnable_ns,
		.blocked_ns = thread->time_ns[SCALER_BLOCKED] - call->blocked_ns,
	};
}

static __noinline void error_count(const struct scaler_call_key *call, long result)
{
	struct scaler_error_key key = { .call = *call, .code = -result };
	u64 *count = bpf_map_lookup_elem(&error_fold, &key), first = 1;

	if (count)
		(*count)++;
	else if (bpf_map_update_elem(&error_fold, &key, &first, BPF_NOEXIST))
		loss_count(SCALER_LOSS_ERROR_MAP);
	else
		row_count(SCALER_ROWS_ERRORS);
}

/* The number comes from the registers if the call was not seen to begin. False: it was no call. */
static __always_inline bool call_find(struct task_state *state, struct pt_regs *regs)
{
	bool found_on_cpu = state->found_on_cpu;
	long number = call_number(regs);

	state->found_on_cpu = false;
	if (state->thread.call.enter_ns)
		return true;
	/* A new thread's first return to user space, say, is from its creator's call. */
	state->thread.call.id.abi = task_call_abi(bpf_get_current_task_btf());
	if (!found_on_cpu || number < 0 || !call_is_recorded(state->thread.call.id.abi, number))
		return false;
	state->thread.call.id.number = number;
	state->thread.call.site = scaler_site(0, call_address(regs));
	state->thread.call.context = SCALER_CONTEXT_NONE;
	state->thread.call.row = 0;
	return true;
}

static __always_inline void call_fold_add(struct task_state *state, long result, u64 now_ns)
{
	struct scaler_thread *thread = &state->thread;
	struct scaler_times times = call_times(thread, now_ns);
	struct scaler_call_stats *stats;
	struct scaler_call_key key;

	key.site = thread->call.site;
	key.task = thread->serial;
	key.id = thread->call.id;
	key.stack = thread->call.stack;
	key.context = thread->call.context;
	stats = call_row_get(state, &key);
	if (!stats)
		return;
	thread->calls++;
	if (thread->call.enter_ns < window.start_ns) {
		u64 begin_ns = thread->start_ns;

		times.total_ns = now_ns - (begin_ns < window.start_ns ? window.start_ns : begin_ns);
		call_stats_add_partial(stats, &times);
		return;
	}
	call_stats_add(stats, &times, thread->call.enter_ns);
	if (result < 0 && result >= -ERRNO_LIMIT) {
		stats->errors++;
		error_count(&key, result);
	}
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
	if (now_ns >= window.start_ns && call_find(state, regs)) {
		if (!open_call_is_placed(call) && !open_call_take_place(state, call))
			call_place_late(ctx, call, task);
		call_fold_add(state, result, now_ns);
	}
	if (result >= 0 && call_maps_code(task, call->id.abi, regs)) {
		address_space_changed_in(task);
		if (call_maps_file(call->id.abi, regs))
			process_event_send(task, SCALER_PROCESS_MAPPED);
		if (call_number(regs) == __NR_execve || call_number(regs) == __NR_execveat)
			library_close_current(task, state, now_ns);
	}
	call->enter_ns = 0;
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
	task_state_change_begin(state);
	call_exit(ctx, state, task, regs, result);
	task_state_change_end(state);
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
