// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fold of library calls: counted and timed in the kernel per thread and context by probes at functions' entries
 * and exits: nothing of a program's stack is replaced. Who calls is seen by where the call returns to; a call from within a function's own component is not
 * counted.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "call_rows.bpf.h"
#include "compat.bpf.h"
#include "library_budget.bpf.h"
#include "library_context.bpf.h"
#include "library_stack.bpf.h"
#include "maps.bpf.h"
#include "own_stack.bpf.h"
#include "process_events.bpf.h"
#include "site.bpf.h"

/* First of all in a program, where one way leads: task_address_space() tells why. */
static __always_inline struct library_space library_space_read(struct task_struct *task)
{
	struct mm_struct *mm = task->mm;
	struct library_space space = { .number = (u64)mm, .code_pages = mm ? mm->exec_vm : 0 };

	barrier_var(space.number);
	barrier_var(space.code_pages);
	return space;
}

/*
 * Whether a call that begins where another would return from, and to the same place, has been jumped to from that: known
 * of functions that are seen to do so. All others have been left without a return.
 */
static __always_inline bool call_is_jumped_to(const struct library_call *call,
					      const struct library_frame *top)
{
	u32 number;
	const struct scaler_function *function;

	if (!top || top->slot != call->slot || top->return_address != call->return_address ||
	    top->function == call->function)
		return false;
	number = top->function;
	function = bpf_map_lookup_elem(&library_functions, &number);
	return function && function->jumps_on;
}

/* Where in its open calls the thread is. */
static __always_inline void call_find_parent(struct library_call *call)
{
	struct library_stack *stack = call->stack;
	struct library_position at = { .state = call->state, .stack = stack, .slot = call->slot };
	struct library_frame *top = library_top(stack);

	call->on_own_stack = own_stack_has(stack, call->slot);
	if (call->on_own_stack) {
		if (!stack->trampoline)
			stack->trampoline = return_trampoline(call->task);
		at.stays = (stack->trampoline && call->return_address == stack->trampoline) ||
			   call_is_jumped_to(call, top);
		top = library_repair(&at);
		if (at.stays)
			call->return_address = top && top->slot == call->slot ? top->address : 0;
	}
	if (!top)
		return;
	call->made_in = top;
	call->parent = top->base;
}

/* The call will be seen to return. False: it will not, because too many are open. */
static __always_inline bool call_open(const struct library_call *call, const struct known_library_call *known)
{
	struct library_stack *stack = call->stack;
	const struct library_frame *top = call->made_in;
	struct library_frame *frame;
	u64 depth;

	if (!stack || stack->depth >= LIBRARY_FRAMES)
		return false;
	depth = stack->depth;
	frame = library_frame(stack, depth);
	frame->slot = call->slot;
	/* One that was jumped to returns where the one before it would have. */
	frame->return_address = top && top->slot == call->slot ? top->return_address : call->return_address;
	frame->address = call->address;
	frame->function = call->function;
	frame->caller = known->caller;
	frame->context = known->context;
	frame->base = known->base;
	frame->row = known->row;
	frame->window_weight = call->window_weight;
	frame->window_group = call->window_group;
	frame->inner = (struct scaler_times){};
	frame->probes_ns = call->described->within_ns;
	frame->outside_ns = call->described->entry_ns + call->described->exit_ns - call->described->within_ns;
	stack->depth = depth + 1;
	library_times_now(&call->state->thread, &frame->entered);
	return true;
}

static __always_inline bool call_is_timed(const struct library_call *call,
					  const struct known_library_call *known)
{
	if (!call->stack || !call->described->ends_at_exits)
		return false;
	if (!call->on_own_stack) {
		loss_count(SCALER_LOSS_OTHER_STACK);
		return false;
	}
	if (call_open(call, known))
		return true;
	loss_count(SCALER_LOSS_CALL_DEPTH);
	return false;
}

/* Where system calls are not seen, the pages of code tell that a process has mapped some. */
static __always_inline void library_pages_look(struct library_state *library, const struct library_call *call)
{
	if (records_calls || library->code_pages == call->space.code_pages)
		return;
	if (library->code_pages)
		process_event_send(call->task, SCALER_PROCESS_MAPPED);
	library->code_pages = call->space.code_pages;
}

/* Counts the call, if it is one between components. */
static __always_inline void call_enter(void *ctx, struct library_call *call)
{
	struct known_library_call *known;
	struct scaler_call_stats *stats;
	struct library_state *library;

	call->state = task_state_find(call->task);
	if (!call->state || call->state->dormant)
		return;
	call->began_ns = bpf_ktime_get_ns();
	if (call->began_ns < window.start_ns || call->began_ns >= window.end_ns)
		return;
	library = library_state_make(call->task);
	if (!library) {
		loss_count(SCALER_LOSS_LIBRARY_STORAGE);
		return;
	}
	library_pages_look(library, call);
	if (times_library_calls)
		call->stack = library_stack_get(call->task, call->state, call->space.number);
	if (call->stack)
		call_find_parent(call);
	known = call_find(ctx, library, call);
	if (!known->context)
		return;
	if (call_is_timed(call, known))
		return;
	stats = library_row(call->state, known->context, known->row);
	if (stats)
		library_count_untimed(stats, call->window_weight, call->window_group);
}

/* The probe at a call's entry has been part of the time of the call that it is made in. */
static __always_inline void call_tell_caller(const struct library_call *call)
{
	struct library_frame *caller = call->made_in;

	if (caller)
		caller->probes_ns += bpf_ktime_get_ns() - call->began_ns + call->described->entry_ns;
}

/* A probe at an entry is hit. */
static __always_inline void call_begin(struct pt_regs *regs, struct library_call *call,
				       struct library_hit *hit, u64 cookie)
{
	if (!library_hit_begin(hit, cookie))
		return;
	call->described = hit->function;
	call->function = hit->number;
	call->window_weight = hit->window_weight;
	call->window_group = hit->window_group;
	call->address = interrupted_address(regs);
	call->return_address = return_address(regs);
	call->slot = stack_pointer(regs);
	call_enter(regs, call);
	call_tell_caller(call);
}

/* Calls that end, and when. */
struct library_leaving {
	struct library_position at;
	struct scaler_times now;
};

static long call_leave_step(u32 index, void *data)
{
	const struct library_leaving *leaving = data;
	const struct library_position *at = &leaving->at;
	const struct library_frame *top = library_top(at->stack);

	if (!top || top->slot != at->slot)
		return 1;
	at->stack->depth--;
	library_call_end(at->state, at->stack, at->stack->depth, &leaving->now, LIBRARY_RETURNED);
	return 0;
}

/* Some function is left: ends the calls that return from there, of which the later have been jumped to. */
static __always_inline void call_leave(struct pt_regs *regs, struct task_struct *task, u64 address_space)
{
	struct library_leaving leaving = { .at = { .slot = stack_pointer(regs), .stays = true } };
	struct library_position *at = &leaving.at;
	const struct library_frame *top;

	at->state = task_state_find(task);
	if (!at->state)
		return;
	at->stack = library_stack_find(task);
	if (!at->stack || !at->stack->depth || at->stack->mm != address_space)
		return;
	library_times_now(&at->state->thread, &leaving.now);
	if (leaving.now.total_ns >= window.end_ns || !own_stack_has(at->stack, at->slot))
		return;
	top = library_repair(at);
	if (!top || top->slot != at->slot)
		return;
	bpf_loop(LIBRARY_FRAMES, call_leave_step, &leaving, 0);
	if (at->stack->depth)
		library_top(at->stack)->probes_ns += bpf_ktime_get_ns() - leaving.now.total_ns;
}

/* At the entries of functions, and at their exits. */
SEC("?uprobe")
int scaler_library_hit(struct pt_regs *ctx)
{
	struct library_call call = { .task = bpf_get_current_task_btf() };
	u64 cookie = bpf_get_attach_cookie(ctx);
	struct library_hit hit = {};

	call.space = library_space_read(call.task);
	if (!(cookie & SCALER_COOKIE_EXIT)) {
		call_begin(ctx, &call, &hit, cookie);
	} else if (times_library_calls) {
		library_hit_begin_exit(&hit, cookie);
		call_leave(ctx, call.task, call.space.number);
	}
	library_hit_end(&hit);
	return 0;
}

/* The least time between the next program at an entry and at an exit; user space resets it. */
__u64 nothing_least_ns;
__u64 nothing_entered_ns;

#define COOKIE_OF_EXIT 1

/* On functions of the tracer's own, which it calls to find out what a probe takes besides its program. */
SEC("?uprobe")
int scaler_library_nothing(struct pt_regs *ctx)
{
	u64 now_ns = bpf_ktime_get_ns();

	if (bpf_get_attach_cookie(ctx) == COOKIE_OF_EXIT) {
		if (now_ns - nothing_entered_ns < nothing_least_ns)
			nothing_least_ns = now_ns - nothing_entered_ns;
	} else {
		nothing_entered_ns = bpf_ktime_get_ns();
	}
	return 0;
}

/* At the recording's end: the calls that are still open. */
SEC("?iter/task")
int scaler_close_library_calls(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct task_state *state = task ? task_state_find(task) : NULL;
	struct scaler_thread thread;
	struct scaler_times now;

	if (!state || state->dormant)
		return 0;
	/* Its own time does not change any more, but for what it is in now. */
	thread = state->thread;
	scaler_thread_finish(&thread, &window, bpf_ktime_get_ns());
	now.total_ns = window.end_ns;
	now.runnable_ns = thread.time_ns[SCALER_RUNNABLE];
	now.blocked_ns = thread.time_ns[SCALER_BLOCKED];
	library_close(task, state, &now);
	return 0;
}
