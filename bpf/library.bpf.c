// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fold of library calls: counted and timed in the kernel per thread and context by probes at functions' entries
 * and returns. Who calls is seen by where the call returns to; a call from within a function's own component is not
 * counted.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "call_rows.bpf.h"
#include "compat.bpf.h"
#include "library_budget.bpf.h"
#include "library_stack.bpf.h"
#include "maps.bpf.h"
#include "own_stack.bpf.h"
#include "return_safety.bpf.h"
#include "site.bpf.h"

/* What a thread knows of its latest library calls, so that few of them need a look at its mappings and a hash. */
#define KNOWN_CALLS_BITS 6
struct known_library_call {
	u64 return_address;
	u32 function;
	u32 parent;
	u32 context; /* SCALER_CONTEXT_NONE: within one component, and not counted */
	u32 row;     /* NEAR_CALL_IS_FAR: it has no near one */
	u32 caller;
	u32 base; /* the parent of what is called from it */
};

/* Which of a thread's contexts have a near row. None leaves, so that no context has two. */
#define NEAR_CONTEXT_SETS 16
#define NEAR_CONTEXT_WAYS 4
struct near_context {
	u32 context; /* SCALER_CONTEXT_NONE: the slot is free */
	u32 row;
};

/* Kernel-side state of one traced thread that calls traced functions. */
struct library_state {
	u64 address_space; /* in which the next are so */
	struct known_library_call calls[1 << KNOWN_CALLS_BITS];
	struct near_context near[NEAR_CONTEXT_SETS][NEAR_CONTEXT_WAYS];
	struct known_hazards hazards;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct library_state);
} library_states SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, struct scaler_context_key);
	__type(value, struct scaler_context);
} contexts SEC(".maps");

__u32 last_context;

/* Needs Linux 6.13 (commit d920179b3d48, "bpf: Add support for uprobe multi session attach"). */
extern bool bpf_session_is_return(void) __ksym __weak;

/* One call, as it is entered. */
struct library_call {
	struct task_struct *task;
	struct task_state *state;
	struct library_stack *stack; /* NULL: returns are not seen */
	u64 slot;                    /* of the return address */
	u64 return_address;          /* or where it was jumped from, if that will return for both */
	u64 address;
	u64 began_ns;                  /* CLOCK_MONOTONIC: when its probe was hit; 0: it is not of interest */
	struct library_frame *made_in; /* the open call that it is made in; NULL: none */
	struct scaler_function *described;
	u32 function;
	u32 parent;
	bool on_own_stack;
	bool is_timed; /* if its stack permits */
};

/* Of the current task's code; SCALER_COMPONENT_NONE: not known just now. */
static __always_inline u32 component_of_address(u64 address)
{
	return scaler_site_component(site_of_address(address));
}

/* Of the function that is called. */
static __always_inline u32 called_component(void *ctx, const struct library_call *call)
{
	struct scaler_function *function = call->described;

	if (!function->component) {
		function->component = component_of_address(call->address);
		if (function->component)
			component_read_build_id(ctx, function->component);
	}
	return function->component;
}

/* Its number, a new one if it was not known; SCALER_CONTEXT_NONE: there is no room. */
__noinline u32 context_number(const struct scaler_context_key *key, u32 component)
{
	struct scaler_context fresh = { .component = component }, *context;

	if (!key)
		return SCALER_CONTEXT_NONE;
	context = bpf_map_lookup_elem(&contexts, key);
	if (!context) {
		fresh.number = __sync_fetch_and_add(&last_context, 1) + 1;
		bpf_map_update_elem(&contexts, key, &fresh, BPF_NOEXIST);
		/* Another CPU may have been faster. */
		context = bpf_map_lookup_elem(&contexts, key);
	}
	if (context)
		return context->number;
	loss_count(SCALER_LOSS_CONTEXT_MAP);
	return SCALER_CONTEXT_NONE;
}

/* Its near row, a new one if it has none; NEAR_CALL_IS_FAR: it has none, and never will. */
static __always_inline u32 context_row(struct library_state *library, const struct library_call *call,
				       u32 context)
{
	struct near_context *set = library->near[context % NEAR_CONTEXT_SETS];
	struct scaler_call_key key;

	for (int way = 0; way < NEAR_CONTEXT_WAYS; way++) {
		if (set[way].context == context)
			return set[way].row;
		if (set[way].context)
			continue;
		key = library_row_key(call->state, context);
		set[way].context = context;
		set[way].row = near_row_take(&key);
		return set[way].row;
	}
	return NEAR_CALL_IS_FAR;
}

struct recursion_search {
	struct library_stack *stack;
	u32 function;
	u32 caller;
	bool found;
};

static long recursion_search_step(u32 index, void *data)
{
	struct recursion_search *search = data;
	const struct library_frame *frame = library_frame(search->stack, index);

	if (index >= search->stack->depth)
		return 1;
	search->found = frame->function == search->function && frame->caller == search->caller;
	return search->found;
}

/* Whether the same edge is open already. */
static __always_inline bool call_is_recursive(const struct library_call *call, u32 caller)
{
	struct recursion_search search = { call->stack, call->function, caller, false };

	if (search.stack)
		bpf_loop(LIBRARY_FRAMES, recursion_search_step, &search, 0);
	return search.found;
}

/*
 * Finds out what call it is. Only what is sure is worth to be known. A recursive call has a context of its own, but is
 * nobody's parent: the edges above a call are those that are open, each once, in the order in which they were opened.
 * So there are no more contexts than ways without a circle, and which edges are open can be read from a context.
 */
static __noinline void call_learn(void *ctx, struct library_state *library, const struct library_call *call,
				  struct known_library_call *known)
{
	struct scaler_context_key context = { .parent = call->parent, .function = call->function };
	u32 called;

	known->return_address = 0;
	called = called_component(ctx, call);
	context.caller = component_of_address(call->return_address);
	known->row = NEAR_CALL_IS_FAR;
	known->context = SCALER_CONTEXT_NONE;
	if (context.caller == SCALER_COMPONENT_NONE || context.caller != called) {
		known->context = context_number(&context, called);
		if (!known->context)
			return;
		known->row = context_row(library, call, known->context);
		known->base = call_is_recursive(call, context.caller) ? call->parent : known->context;
	}
	if (context.caller == SCALER_COMPONENT_NONE)
		return;
	known->caller = context.caller;
	known->function = call->function;
	known->parent = call->parent;
	known->return_address = call->return_address;
}

/* What is known holds in one address space. Global, so that the verifier looks at it once. */
__noinline int known_calls_forget(struct library_state *library, u64 space)
{
	if (!library)
		return 0;
	library->address_space = space;
	for (int i = 0; i < 1 << KNOWN_CALLS_BITS; i++)
		library->calls[i].return_address = 0;
	return 0;
}

static __always_inline struct known_library_call *call_find(void *ctx, struct library_state *library,
							    const struct library_call *call)
{
	u64 space = address_space_number(call->task, &call->state->sites);
	u64 index = call->return_address ^ call->return_address >> KNOWN_CALLS_BITS ^ call->function;
	struct known_library_call *known;

	if (library->address_space != space)
		known_calls_forget(library, space);
	barrier_var(index);
	known = &library->calls[index & ((1 << KNOWN_CALLS_BITS) - 1)];
	if (!call->return_address || known->return_address != call->return_address ||
	    known->function != call->function || known->parent != call->parent)
		call_learn(ctx, library, call, known);
	return known;
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
		at.chained = stack->trampoline && call->return_address == stack->trampoline;
		top = library_repair(&at);
		if (at.chained)
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
	frame->inner = (struct scaler_times){};
	frame->probes_ns = call->described->within_ns;
	frame->outside_ns =
		call->described->entry_ns + call->described->return_ns - call->described->within_ns;
	stack->depth = depth + 1;
	library_times_now(&call->state->thread, &frame->entered);
	return true;
}

/* Counts the call, if it is one between components. Returns whether it is to be seen to return. */
static __always_inline bool call_enter(void *ctx, struct library_call *call)
{
	struct known_library_call *known;
	struct scaler_call_stats *stats;
	struct library_state *library;

	call->state = bpf_task_storage_get(&task_states, call->task, 0, 0);
	if (!call->state || call->state->dormant)
		return false;
	call->began_ns = bpf_ktime_get_ns();
	if (call->began_ns < window.start_ns || call->began_ns >= window.end_ns)
		return false;
	library = bpf_task_storage_get(&library_states, call->task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!library) {
		loss_count(SCALER_LOSS_LIBRARY_STORAGE);
		return false;
	}
	if (times_library_calls)
		call->stack = library_stack_get(call->task, call->state);
	if (call->stack)
		call_find_parent(call);
	known = call_find(ctx, library, call);
	if (!known->context)
		return false;
	if (call->is_timed && call->on_own_stack &&
	    return_is_safe(call->task, call->described, &library->hazards, library->address_space,
			   call->began_ns) &&
	    call_open(call, known))
		return true;
	stats = library_row(call->state, known->context, known->row);
	if (stats)
		stats->untimed++;
	return false;
}

/* The probe at a call's entry has been part of the time of the call that it is made in; the one at its return will be. */
static __always_inline void call_tell_caller(const struct library_call *call, bool returns)
{
	struct library_frame *caller = call->made_in;

	if (caller)
		caller->probes_ns +=
			bpf_ktime_get_ns() - call->began_ns + (returns ? 0 : call->described->entry_ns);
}

/* A probe at an entry is hit. Returns whether the call is to be seen to return. */
static __always_inline bool call_begin(struct pt_regs *regs, struct library_call *call,
				       struct library_hit *hit)
{
	bool returns;

	if (!library_hit_begin(hit, bpf_get_attach_cookie(regs)))
		return false;
	call->task = bpf_get_current_task_btf();
	call->described = hit->function;
	call->function = hit->number;
	call->address = interrupted_address(regs);
	call->return_address = return_address(regs);
	call->slot = stack_pointer(regs);
	returns = call_enter(regs, call);
	call_tell_caller(call, returns);
	return returns;
}

static __always_inline void call_return(struct pt_regs *regs, u32 function)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct library_position at = { .slot = stack_pointer(regs) - sizeof(u64), .function = function };
	const struct library_frame *top;
	u64 address_space = (u64)task->mm;
	struct scaler_times now;

	barrier_var(address_space); /* here, where one way leads: task_address_space() */
	at.state = bpf_task_storage_get(&task_states, task, 0, 0);
	if (!at.state)
		return;
	library_times_now(&at.state->thread, &now);
	at.stack = bpf_task_storage_get(&library_stacks, task, 0, 0);
	/* What is open at the end stays so: the recording cuts it short. */
	if (!at.stack || at.stack->mm != address_space || now.total_ns >= window.end_ns)
		return;
	top = library_repair(&at);
	if (!top || top->slot != at.slot)
		return;
	at.stack->depth--;
	library_call_end(at.state, at.stack, at.stack->depth, &now, LIBRARY_RETURNED);
	if (at.stack->depth)
		library_top(at.stack)->probes_ns += bpf_ktime_get_ns() - now.total_ns;
}

/* Calls whose returns are not probed. */
SEC("?uprobe")
int scaler_library_entry(struct pt_regs *ctx)
{
	struct library_call call = {};
	struct library_hit hit = {};

	call_begin(ctx, &call, &hit);
	library_hit_end(&hit);
	return 0;
}

/* At a function's entry, and if that returns 0 at the call's return, too. */
SEC("?uprobe")
int scaler_library_session(struct pt_regs *ctx)
{
	struct library_call call = { .is_timed = true };
	struct library_hit hit = {};
	bool returns = false;

	if (bpf_session_is_return()) {
		library_hit_begin_return(&hit, bpf_get_attach_cookie(ctx));
		call_return(ctx, hit.number);
	} else {
		returns = call_begin(ctx, &call, &hit);
	}
	library_hit_end(&hit);
	return !returns;
}

/* Of a call whose return is probed, too, with the least time between these two programs; user space resets it. */
__u64 nothing_least_ns;
__u64 nothing_entered_ns;

/*
 * On functions of the tracer's own, which it calls to find out what a probe takes besides its program: at the entry, and
 * where the cookie is 0 at the return, too.
 */
SEC("?uprobe")
int scaler_library_nothing(struct pt_regs *ctx)
{
	u64 now_ns = bpf_ktime_get_ns();

	if (times_library_calls && bpf_session_is_return()) {
		if (now_ns - nothing_entered_ns < nothing_least_ns)
			nothing_least_ns = now_ns - nothing_entered_ns;
		return 0;
	}
	nothing_entered_ns = bpf_ktime_get_ns();
	return bpf_get_attach_cookie(ctx) != 0;
}

/* At the recording's end: the calls that are still open. */
SEC("?iter/task")
int scaler_close_library_calls(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct task_state *state = task ? bpf_task_storage_get(&task_states, task, 0, 0) : NULL;
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
