/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The walk up the stack of a thread that a CPU sample has interrupted. It takes nothing but what is known of the
 * address space's code, and leaves all else to user space, which teaches it: from an interrupt mappings can be
 * looked at but once, because their lock is released by a work that waits for its end.
 */
#ifndef SCALER_SAMPLE_WALK_BPF_H
#define SCALER_SAMPLE_WALK_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include "code.bpf.h"
#include "compat.bpf.h"
#include "stack_numbers.bpf.h"
#include "stuck.bpf.h"
#include "trampoline.bpf.h"

struct sample_call {
	struct walk *walk;
	struct scaler_sample *sample;
};

/* Not inline: what it takes of the stack is free again when the walk steps. */
static __noinline void sample_begin(struct walk *walk, struct task_struct *task, struct pt_regs *regs)
{
	u64 key = task_address_space(task);

	walk->address_space = address_space_read(address_space_get(&key), &key);
	walk->stack.kind = SCALER_EVENT_STACK;
	walk->stack.stack = SCALER_STACK_NONE;
	walk->stack.end = SCALER_STACK_GOES_ON;
	walk->stack.count = 0;
	walk->stack.unsure = 0;
	walk->hash = (struct scaler_stack_hash){};
	walk->is_stuck = false;
	walk->trampoline = return_trampoline(task);
	call_frame(regs, &walk->frame);
	if (trampoline_leave(task, walk->trampoline, &walk->frame))
		walk->interrupted = true;
	else if (walk->interrupted)
		walk->frame.pc = original_address(task, interrupted_address(regs));
}

/* Below Linux 6.1 user space is told no mappings, so that only the kernel side can learn. */
static __always_inline enum scaler_stack_end sample_find_code(struct sample_call *call)
{
	struct walk *walk = call->walk;
	bool is_new;

	if (code_is_known(walk->address_space, walk->frame.pc, &walk->code))
		return SCALER_STACK_GOES_ON;
	if (kernel_has_mapping_tree())
		return SCALER_STACK_BUSY;
	return code_find(walk->address_space, walk->frame.pc, &walk->code, &is_new);
}

static long sample_read_word(void *context, u64 address, u64 *word)
{
	struct walk *walk = context;

	if (bpf_probe_read_user(word, sizeof(*word), (void *)address))
		return -1;
	if (walk->trampoline && *word == walk->trampoline)
		*word = trampoline_return_address(address) ?: *word;
	return 0;
}

static __always_inline enum scaler_stack_end sample_frame_step(struct walk *walk)
{
	enum scaler_stack_end end = scaler_frame_step(&walk->frame, walk->code.rule, sample_read_word, walk);

	walk->stack.unsure |= walk->frame.unsure != 0;
	return end;
}

static __always_inline void sample_interrupted_rule(struct walk *walk)
{
	u64 code = 0;

	if (!walk->interrupted || walk->code.rule.kind != SCALER_UNWIND_FRAME_POINTER)
		return;
	bpf_probe_read_user(&code, sizeof(code), (void *)walk->frame.pc);
	walk->code.rule = scaler_interrupted_rule(walk->code.rule, code);
}

/* Appends a frame of the stack. False: as many as are wanted are there. */
static __always_inline bool sample_add_frame(struct walk *walk)
{
	u64 count = walk->stack.count;

	barrier_var(count); /* the check must be on the register that indexes */
	if (count >= SCALER_STACK_FRAMES || count >= stack_depth.frames)
		return false;
	walk->stack.sites[count] = walk->code.site;
	walk->stack.count = count + 1;
	scaler_stack_hash_add(&walk->hash, walk->code.site);
	return true;
}

/* The innermost frame, which the sample names apart if what it is in can be told now. */
static __always_inline enum scaler_stack_end sample_begin_at(struct sample_call *call)
{
	struct walk *walk = call->walk;
	enum scaler_stack_end end = sample_find_code(call);

	call->sample->kind = SCALER_SAMPLE_WHOLE;
	if (end) {
		walk->is_stuck = end == SCALER_STACK_BUSY;
		return end;
	}
	if (walk->code.rule.kind == SCALER_UNWIND_UNKNOWN) {
		walk->is_stuck = sample_add_frame(walk);
		return SCALER_STACK_NO_RULE;
	}
	call->sample->kind = SCALER_SAMPLE_OUTSIDE;
	call->sample->site = walk->code.site;
	sample_interrupted_rule(walk);
	walk->interrupted = false;
	return sample_frame_step(walk);
}

static __always_inline enum scaler_stack_end sample_go_on(struct sample_call *call)
{
	struct walk *walk = call->walk;
	enum scaler_stack_end end = sample_find_code(call);

	if (end) {
		walk->is_stuck = end == SCALER_STACK_BUSY;
		return end;
	}
	if (!sample_add_frame(walk))
		return SCALER_STACK_LIMIT;
	if (walk->code.rule.kind == SCALER_UNWIND_UNKNOWN) {
		walk->is_stuck = true;
		return SCALER_STACK_NO_RULE;
	}
	return sample_frame_step(walk);
}

static long sample_step(u32 index, void *data)
{
	struct sample_call *call = data;

	/* A call's site is the first frame of its stack. */
	call->walk->stack.end = index || call->sample->kind == SCALER_SAMPLE_IN_CALL ? sample_go_on(call) :
										       sample_begin_at(call);
	return call->walk->stack.end != SCALER_STACK_GOES_ON;
}

/*
 * Without a stack: looked up in the mappings once, which from an interrupt costs more than the rest. No rule is kept
 * with it, since none is followed.
 */
static __always_inline u64 sample_site(struct walk *walk, struct task_struct *task)
{
	u64 key = scaler_code_key(walk->address_space, walk->frame.pc);

	if (code_is_known(walk->address_space, walk->frame.pc, &walk->code))
		return walk->code.site;
	walk->code = (struct scaler_known_code){ .site = site_of_address(walk->frame.pc) };
	if (scaler_site_component(walk->code.site) && walk->address_space) {
		walk->code.check = scaler_known_code_check(walk->address_space, walk->frame.pc, &walk->code);
		bpf_map_update_elem(&known_codes, &key, &walk->code, BPF_ANY);
	}
	return walk->code.site;
}

static __always_inline void sample_walk(struct scaler_sample *sample, struct walk *walk)
{
	struct sample_call call = { .walk = walk, .sample = sample };

	bpf_loop(SCALER_STACK_FRAMES + 2, sample_step, &call, 0);
	if (sample->kind == SCALER_SAMPLE_IN_CALL && walk->stack.count)
		sample->site = walk->stack.sites[0];
	if (!walk->is_stuck)
		sample->stack = stack_number_find(walk) ?: stack_number_give(walk);
}

#endif
