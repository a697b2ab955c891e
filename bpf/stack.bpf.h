/* SPDX-License-Identifier: GPL-2.0-only */
/* The walk up the current task's user stack, and the number of the stack that it finds. */
#ifndef SCALER_STACK_BPF_H
#define SCALER_STACK_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include "code.bpf.h"
#include "compat.bpf.h"
#include "maps.bpf.h"
#include "stuck.bpf.h"

struct known_stack {
	u64 check; /* the walk's second hash */
	u32 number;
	u32 zero;
};

/* The numbers of stacks, by the walk's first hash. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, u64);
	__type(value, struct known_stack);
} stack_numbers __weak SEC(".maps");

/* Two different hashes of the same, so that stacks with one number are the same: MurmurHash3's mixing. */
static __always_inline void walk_hash(struct walk *walk, u64 word)
{
	u64 hash = (walk->hash ^ word) * 0xff51afd7ed558ccdULL;
	u64 check = (walk->check + word) * 0xc4ceb9fe1a85ec53ULL;

	walk->hash = hash ^ hash >> 33;
	walk->check = check ^ check >> 33;
}

struct walk_call {
	struct task_struct *task;
	struct walk *walk;
};

/* Adds one frame, and goes on to its caller's. */
static __always_inline enum scaler_stack_end walk_frame(const struct walk_call *call)
{
	struct walk *walk = call->walk;
	u64 count = walk->stack.count;
	enum scaler_stack_end end;
	bool is_new = false;

	barrier_var(count); /* the check must be on the register that indexes */
	if (count >= SCALER_STACK_FRAMES || count >= stack_depth.frames)
		return SCALER_STACK_LIMIT;
	end = code_find(call->task, walk->address_space, walk->frame.pc, &walk->code, &is_new);
	if (!count)
		walk->begins_new = is_new;
	if (end) {
		/* User space may have been told the mappings before. */
		walk->is_stuck = end == SCALER_STACK_BUSY;
		return end;
	}
	walk->stack.sites[count] = walk->code.site;
	walk->stack.count = count + 1;
	walk_hash(walk, walk->code.site);
	if (walk->code.rule.kind == SCALER_UNWIND_UNKNOWN) {
		walk->is_stuck = true;
		return SCALER_STACK_NO_RULE;
	}
	return scaler_frame_step(&walk->frame, walk->code.rule, read_word, NULL);
}

static long walk_step(u32 index, void *data)
{
	struct walk_call *call = data;

	call->walk->stack.end = walk_frame(call);
	return call->walk->stack.end != SCALER_STACK_GOES_ON;
}

/* A number for a stack that has none; user space is told what it stands for. */
static __noinline u32 stack_number_give(struct walk *walk)
{
	struct known_stack fresh = { .check = walk->check }, *known;
	u32 count = walk->stack.count, size;

	fresh.number = walk->stack.stack = stack_number_next();
	if (bpf_map_update_elem(&stack_numbers, &walk->hash, &fresh, BPF_NOEXIST)) {
		/* Another CPU may have been faster. */
		known = bpf_map_lookup_elem(&stack_numbers, &walk->hash);
		if (known && known->check == walk->check)
			return known->number;
		loss_count(SCALER_LOSS_STACK_MAP);
		return SCALER_STACK_NONE;
	}
	if (count > SCALER_STACK_FRAMES)
		return SCALER_STACK_NONE;
	size = count * sizeof(u64);
	barrier_var(size); /* added, not put together bit by bit, it has a bound for the verifier */
	size += sizeof(walk->stack) - sizeof(walk->stack.sites);
	if (!bpf_ringbuf_output(&events, &walk->stack, size, event_wakes_late()))
		return fresh.number;
	bpf_map_delete_elem(&stack_numbers, &walk->hash);
	loss_count(SCALER_LOSS_STACK_EVENT);
	return SCALER_STACK_NONE;
}

static __always_inline u32 stack_number(struct walk *walk)
{
	const struct known_stack *known;

	walk_hash(walk, walk->stack.end);
	known = bpf_map_lookup_elem(&stack_numbers, &walk->hash);
	if (known && known->check == walk->check)
		return known->number;
	return stack_number_give(walk);
}

/*
 * Finds where, and with which stack, the current task has issued the system call that it is in. Returns whether
 * the site was new to its address space, so that its file's build-id may not be known. Not static, so that the
 * verifier looks at it once, whatever it is called from.
 */
__noinline bool call_walk_stack(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = bpf_task_storage_get(&task_states, task, 0, 0);
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	u32 zero = 0, number = SCALER_STACK_NONE;
	struct walk *walk = bpf_map_lookup_elem(&walks, &zero);
	struct walk_call call = { task, walk };

	if (!stack_depth.frames || !walk || !state)
		return false;
	walk->address_space = address_space_number(task, &state->sites);
	walk->stack.kind = SCALER_EVENT_STACK;
	walk->stack.end = SCALER_STACK_GOES_ON;
	walk->stack.count = 0;
	walk->hash = walk->check = 0;
	walk->is_stuck = false;
	walk->begins_new = false;
	call_frame(regs, &walk->frame);
	bpf_loop(SCALER_STACK_FRAMES + 1, walk_step, &call, 0);
	state->thread.call.site =
		walk->stack.count ? walk->stack.sites[0] : scaler_site(0, call_address(regs));
	if (walk->is_stuck)
		number = stuck_tell(task, &state->sites, walk);
	state->thread.call.stack = number ?: stack_number(walk);
	return walk->begins_new;
}

#endif
