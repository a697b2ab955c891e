// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fold of library calls: counted in the kernel per thread and context by probes at functions' entries. Who calls
 * is seen by where the call returns to; a call from within a function's own component is not counted.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "call_rows.bpf.h"
#include "compat.bpf.h"
#include "maps.bpf.h"
#include "site.bpf.h"

/* What a thread knows of its latest library calls, so that few of them need a look at its mappings and a hash. */
#define KNOWN_CALLS_BITS 6
struct known_library_call {
	u64 return_address;
	u32 function;
	u32 parent;
	u32 context; /* SCALER_CONTEXT_NONE: within one component, and not counted */
	u32 row;     /* NEAR_CALL_IS_FAR: it has no near one */
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

/* By function: the component that it lies in; 0: not yet known. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* user space gives it as many as there are functions, and one */
	__type(key, u32);
	__type(value, u32);
} function_components SEC(".maps");

__u32 last_context;

/* One call, as it is entered. */
struct library_call {
	struct task_struct *task;
	struct task_state *state;
	u64 return_address;
	u64 address;
	u32 function;
	u32 parent;
};

/* SCALER_COMPONENT_NONE: not known just now. */
static __always_inline u32 component_of_address(struct task_struct *task, u64 address)
{
	return scaler_site_component(site_of_address(task, address));
}

/* Of the function that is called. */
static __always_inline u32 called_component(void *ctx, const struct library_call *call)
{
	u32 function = call->function, *known = bpf_map_lookup_elem(&function_components, &function);

	if (!known)
		return SCALER_COMPONENT_NONE;
	if (!*known) {
		*known = component_of_address(call->task, call->address);
		if (*known)
			component_read_build_id(ctx, *known);
	}
	return *known;
}

/* Its number, a new one if it was not known; SCALER_CONTEXT_NONE: there is no room. */
static __noinline u32 context_number(const struct scaler_context_key *key, u32 component)
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

static __always_inline struct scaler_call_key row_key(const struct library_call *call, u32 context)
{
	return (struct scaler_call_key){
		.task = call->state->thread.serial,
		.id = { .abi = SCALER_ABI_LIBRARY },
		.context = context,
	};
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
		key = row_key(call, context);
		set[way].context = context;
		set[way].row = near_row_take(&key);
		return set[way].row;
	}
	return NEAR_CALL_IS_FAR;
}

/* Finds out what call it is. Only what is sure is worth to be known. */
static __noinline void call_learn(void *ctx, struct library_state *library, const struct library_call *call,
				  struct known_library_call *known)
{
	struct scaler_context_key context = { .parent = call->parent, .function = call->function };
	u32 called;

	known->return_address = 0;
	called = called_component(ctx, call);
	context.caller = component_of_address(call->task, call->return_address);
	known->row = NEAR_CALL_IS_FAR;
	known->context = SCALER_CONTEXT_NONE;
	if (context.caller == SCALER_COMPONENT_NONE || context.caller != called) {
		known->context = context_number(&context, called);
		if (!known->context)
			return;
		known->row = context_row(library, call, known->context);
	}
	if (context.caller == SCALER_COMPONENT_NONE)
		return;
	known->function = call->function;
	known->parent = call->parent;
	known->return_address = call->return_address;
}

static __always_inline struct known_library_call *call_find(void *ctx, struct library_state *library,
							    const struct library_call *call)
{
	u64 space = address_space_number(call->task, &call->state->sites);
	u64 index = call->return_address ^ call->return_address >> KNOWN_CALLS_BITS ^ call->function;
	struct known_library_call *known;

	if (library->address_space != space) {
		library->address_space = space;
		for (int i = 0; i < 1 << KNOWN_CALLS_BITS; i++)
			library->calls[i].return_address = 0;
	}
	barrier_var(index);
	known = &library->calls[index & ((1 << KNOWN_CALLS_BITS) - 1)];
	if (known->return_address != call->return_address || known->function != call->function ||
	    known->parent != call->parent)
		call_learn(ctx, library, call, known);
	return known;
}

SEC("?uprobe")
int scaler_library_entry(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct library_call call = { .task = task, .address = interrupted_address(ctx) };
	struct known_library_call *known;
	struct scaler_call_stats *stats;
	struct library_state *library;
	struct scaler_call_key key;
	u64 now_ns;

	call.state = bpf_task_storage_get(&task_states, task, 0, 0);
	if (!call.state || call.state->dormant)
		return 0;
	now_ns = bpf_ktime_get_ns();
	if (now_ns < window.start_ns || now_ns >= window.end_ns)
		return 0;
	library = bpf_task_storage_get(&library_states, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!library) {
		loss_count(SCALER_LOSS_LIBRARY_STORAGE);
		return 0;
	}
	call.function = bpf_get_attach_cookie(ctx);
	call.return_address = return_address(ctx);
	known = call_find(ctx, library, &call);
	if (!known->context)
		return 0;
	key = row_key(&call, known->context);
	stats = near_row(known->row) ?: far_row_get(&key);
	if (stats)
		stats->count++;
	return 0;
}
