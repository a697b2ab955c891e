// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks up the stacks of system calls: of the current task's, and of those that others sleep in. All that lists a
 * process's mappings is in this one object,
 * because libbpf's linker takes a kernel function from no more than one (libbpf 1.1).
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#define MAY_SLEEP /* what reads calls' arguments here: user_memory.bpf.h */
#include "blocking.bpf.h"
#include "compat.bpf.h"
#include "events.bpf.h"
#include "maps.bpf.h"
#include "open_call.bpf.h"
#include "sample_walk.bpf.h"
#include "site.bpf.h"
#include "stack.bpf.h"
#include "stuck.bpf.h"
#include "walk.bpf.h"

static __always_inline u64 site_look_up(struct task_struct *task, u64 address)
{
	struct site_search search = { .address = address, .site = scaler_site(0, address) };

	if (finds_mappings)
		bpf_find_vma(task, address, site_of_mapping, &search, 0);
	return search.site;
}

static __always_inline u32 walk_lacks(const struct walk *walk, struct task_struct *task)
{
	if (walk->is_stuck)
		return WALK_IS_STUCK;
	return address_space_is_owed(task) ? WALK_IS_OWED : 0;
}

__noinline u32 call_walk_stack(u32 kind, struct call_place *place)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = task_state_find(task);
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct walk *walk = bpf_map_lookup_elem(&walks, &kind);
	struct walk_call call = { .walk = walk };

	if (!stack_depth.frames || !walk || !state || !place)
		return 0;
	walk->is_atomic = kind != WALK_OF_CALL;
	walk->interrupted = false;
	call.known = &state->sites;
	/* Where calls are not followed only the address space itself tells that other code has been mapped. */
	if (walk->is_atomic)
		known_sites_update(&state->sites, all_mappings_changes);
	walk->address_space = address_space_number(task, &state->sites);
	walk->trampoline = return_trampoline(task);
	walk_run(&call, regs, !uses_templates);
	place->stack = walk_number(&call, regs);
	place->site = walk->stack.count ? walk->stack.sites[0] : scaler_site(0, call_address(regs));
	if (walk->is_kept)
		template_number(&state->sites, &walk->recording, place->stack);
	return (walk->begins_new ? WALK_BEGINS_NEW : 0) | walk_lacks(walk, task);
}

__noinline u32 sample_walk_stack(struct scaler_sample *sample, u32 from)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	u32 kind = WALK_OF_SAMPLE;
	struct walk *walk = bpf_map_lookup_elem(&walks, &kind);

	if (!sample || !walk)
		return 0;
	walk->interrupted = from == WALK_FROM_INTERRUPTED;
	if (from == WALK_FROM_CALL)
		sample->kind = SCALER_SAMPLE_IN_CALL;
	sample_begin(walk, task, regs);
	if (stack_depth.frames)
		sample_walk(sample, walk);
	else
		sample->site = sample_site(walk, task);
	return walk_lacks(walk, task);
}

static __always_inline void walk_describe(u32 kind)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct walk *walk = bpf_map_lookup_elem(&walks, &kind);
	u64 key = task_address_space(task);

	if (walk)
		address_space_tell(task, &key, walk->address_space,
				   bpf_map_lookup_elem(&descriptions, &kind));
}

__noinline int call_describe(void)
{
	walk_describe(WALK_OF_CALL);
	return 0;
}

/* With interrupts disabled no more mappings are looked at, of code or memory. Of the others user space asks. */
#define ATOMIC_MAPPINGS 512

__noinline int sample_describe(void)
{
	if (BPF_CORE_READ(bpf_get_current_task_btf(), mm, map_count) <= ATOMIC_MAPPINGS)
		walk_describe(WALK_OF_SAMPLE);
	return 0;
}

__noinline u32 stuck_tell(u32 kind)
{
	struct walk *walk = bpf_map_lookup_elem(&walks, &kind);

	if (!walk)
		return SCALER_STACK_NONE;
	return stuck_leave(bpf_get_current_task_btf(), walk) ?:
		       stack_number_find(walk)               ?:
							       stack_number_give(walk);
}

/* Those whose stack could not be told now. User space counts them in, and tries again. */
__u32 open_calls_left;

/* Like those of a call's walk, but these can be preempted by that. Each iterator runs once at a time. */
enum iterator {
	ITERATOR_PLACES_CALLS,
	ITERATOR_PLACES_BLOCKED,
	ITERATOR_DESCRIBES,
	ITERATORS,
};

struct iterator_scratch {
	struct walk walk;
	struct scaler_address_space_event description;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ITERATORS);
	__type(key, u32);
	__type(value, struct iterator_scratch);
} iterator_scratches SEC(".maps");

/*
 * Whether the task has been off its CPU since its last switch that was seen. What it has run is settled before it
 * counts as off its CPU, so this is looked at first.
 */
static __always_inline bool task_sleeps_since(struct task_struct *task, u64 exec_runtime_ns, u64 voluntary)
{
	if (*(volatile int *)&task->on_cpu)
		return false;
	barrier();
	return task->se.sum_exec_runtime == exec_runtime_ns && task->nvcsw == voluntary;
}

/* Not inline: what it takes of the stack is there again when the mappings are listed. */
static __noinline bool sleeper_send(const struct walk *walk, struct task_struct *task)
{
	return task && stuck_send(walk, task, false);
}

/* A number for the task's stack; SCALER_STACK_NONE: it cannot be told now. */
static __noinline u32 sleeper_tell_stack(struct task_struct *task, struct iterator_scratch *scratch)
{
	struct walk *walk;
	u64 key;

	if (!task || !scratch)
		return SCALER_STACK_NONE;
	walk = &scratch->walk;
	key = task_address_space(task);
	walk->address_space = address_space_read(address_space_get(&key), &key);
	if (!walk->address_space)
		return SCALER_STACK_NONE;
	if (!address_space_tell(task, &key, walk->address_space, &scratch->description))
		return SCALER_STACK_NONE;
	call_frame((struct pt_regs *)bpf_task_pt_regs(task), &walk->frame);
	walk->trampoline = return_trampoline(task);
	walk->stack.stack = stack_number_next();
	/* Nothing has been walked: user space walks all of it. */
	walk->stack.end = SCALER_STACK_BUSY;
	walk->stack.count = 0;
	return sleeper_send(walk, task) ? walk->stack.stack : SCALER_STACK_NONE;
}

SEC("?iter.s/task")
int scaler_place_open_calls(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct placed_call placed = {};
	struct task_state *state;
	u64 exec_runtime_ns, voluntary;
	u32 iterator = ITERATOR_PLACES_CALLS;

	state = task ? task_state_find(task) : NULL;
	if (!state || state->dormant)
		return 0;
	exec_runtime_ns = state->exec_runtime_ns;
	voluntary = state->voluntary;
	/* What a thread does after the end is not followed, so that it may be in another call than its state says. */
	if (state->thread.since_ns >= window.end_ns || !task_sleeps_since(task, exec_runtime_ns, voluntary))
		return 0;
	placed.enter_ns = state->thread.call.enter_ns;
	if (!placed.enter_ns || open_call_is_placed(&state->thread.call) ||
	    placed.enter_ns == state->placed.enter_ns)
		return 0;
	/* First: behind the next the verifier would follow all of this several times (0.4 s instead of 0.1 s). */
	if (stack_depth.frames && kernel_has_mapping_tree()) {
		placed.stack = sleeper_tell_stack(task, bpf_map_lookup_elem(&iterator_scratches, &iterator));
		open_calls_left += !placed.stack;
		if (!placed.stack)
			return 0;
	}
	placed.site = site_look_up(task, call_address((struct pt_regs *)bpf_task_pt_regs(task)));
	if (scaler_site_component(placed.site) && task_sleeps_since(task, exec_runtime_ns, voluntary))
		open_call_place(state, &placed);
	return 0;
}

/* Whether the thread still sleeps in the call in which it was found, and nobody has looked at that yet. */
static __always_inline bool blocking_needs_place(const struct task_state *state,
						 const struct blocking_state *blocking)
{
	const struct scaler_blocking_interval *interval = &blocking->event.interval;
	const u32 found_in_call = SCALER_BLOCKING_FOUND | SCALER_BLOCKING_IN_CALL;

	return (interval->flags & found_in_call) == found_in_call &&
	       interval->start_ns == state->thread.since_ns &&
	       blocking->placed.start_ns != interval->start_ns && interval->start_ns < window.end_ns;
}

/* With its stack, and what its call's arguments point to. False: the stack cannot be told now. */
static __noinline bool sleeper_place(struct task_struct *task, struct placed_interval *placed)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	u32 iterator = ITERATOR_PLACES_BLOCKED;

	if (!placed)
		return false;
	placed->stack = SCALER_STACK_NONE;
	placed->site = stack_depth.frames ? 0 : site_look_up(task, call_address(regs));
	__builtin_memset(&placed->resource, 0, sizeof(placed->resource));
	if (task_call_abi(task) == SCALER_ABI_NATIVE)
		resource_read(&placed->resource, task, regs, call_number(regs));
	if (stack_depth.frames && kernel_has_mapping_tree())
		placed->stack = sleeper_tell_stack(task, bpf_map_lookup_elem(&iterator_scratches, &iterator));
	return placed->stack || !stack_depth.frames || !kernel_has_mapping_tree();
}

SEC("?iter.s/task")
int scaler_place_blocked(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	const struct task_state *state;
	struct blocking_state *blocking;
	u64 exec_runtime_ns, voluntary, start_ns;

	state = task ? task_state_find(task) : NULL;
	if (!state || state->dormant)
		return 0;
	blocking = blocking_state_find(task);
	if (!blocking)
		return 0;
	exec_runtime_ns = state->exec_runtime_ns;
	voluntary = state->voluntary;
	start_ns = blocking->event.interval.start_ns;
	if (!blocking_needs_place(state, blocking) || !task_sleeps_since(task, exec_runtime_ns, voluntary))
		return 0;
	if (!sleeper_place(task, &blocking->placed)) {
		open_calls_left++;
		return 0;
	}
	/* Last its time: who sees that sees all. */
	if (task_sleeps_since(task, exec_runtime_ns, voluntary)) {
		barrier();
		blocking->placed.start_ns = start_ns;
	}
	return 0;
}

/* Of the tasks that user space asks about. */
SEC("?iter/task")
int scaler_describe_address_spaces(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	u32 iterator = ITERATOR_DESCRIBES;
	struct iterator_scratch *scratch = bpf_map_lookup_elem(&iterator_scratches, &iterator);
	u64 key;

	key = task ? task_address_space(task) : 0;
	if (!key || !scratch)
		return 0;
	address_space_tell(task, &key, address_space_read(address_space_get(&key), &key),
			   &scratch->description);
	return 0;
}
