/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which context a library call has: what function it is of, who calls, and in which open calls.
 */
#ifndef SCALER_LIBRARY_CONTEXT_BPF_H
#define SCALER_LIBRARY_CONTEXT_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/library.h>
#include "address_space.bpf.h"
#include "call_rows.bpf.h"
#include "hash_map.bpf.h"
#include "library_stack.bpf.h"
#include "library_state.bpf.h"
#include "site.bpf.h"

HASH_MAP(65536, struct scaler_context_key, struct scaler_context) contexts SEC(".maps");

__u32 last_context;

/* The memory that the current task runs in. */
struct library_space {
	u64 number;     /* its address space's, as task_address_space() tells it */
	u64 code_pages; /* how many pages of code it can run */
};

/* One call, as it is entered. */
struct library_call {
	struct task_struct *task;
	struct library_space space;
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
	u32 window_weight; /* as struct library_hit has it, as is the next */
	u32 window_group;
	bool on_own_stack;
};

/* Of the current task's code; SCALER_COMPONENT_NONE: not known just now. */
static __always_inline u32 component_of_address(u64 address)
{
	return scaler_site_component(site_of_address(address));
}

/* Of the function that is called. */
static __always_inline void called_component_find(void *ctx, const struct library_call *call)
{
	struct scaler_function *function = call->described;

	if (function->component)
		return;
	function->component = component_of_address(call->address);
	if (function->component)
		component_read_build_id(ctx, function->component);
}

/* Its number, a new one if it was not known; SCALER_CONTEXT_NONE: there is no room. */
__noinline u32 context_number(const struct scaler_context_key *asked, u32 component)
{
	struct scaler_context fresh = { .component = component }, *context;
	struct scaler_context_key key;

	if (!asked)
		return SCALER_CONTEXT_NONE;
	key = *asked; /* as in component_add() */
	context = bpf_map_lookup_elem(&contexts, &key);
	if (!context) {
		fresh.number = __sync_fetch_and_add(&last_context, 1) + 1;
		bpf_map_update_elem(&contexts, &key, &fresh, BPF_NOEXIST);
		/* Another CPU may have been faster. */
		context = bpf_map_lookup_elem(&contexts, &key);
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
static __noinline void call_learn(struct library_state *library, const struct library_call *call, u32 caller,
				  struct known_library_call *known)
{
	struct scaler_context_key context = {
		.parent = call->parent,
		.function = call->function,
		.caller = caller,
	};
	u32 called = call->described->component;

	known->return_address = 0;
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
	    known->function != call->function || known->parent != call->parent) {
		/* Not from within: their chain of functions is long, and the stack is for all of them. */
		called_component_find(ctx, call);
		call_learn(library, call, component_of_address(call->return_address), known);
	}
	return known;
}

#endif
