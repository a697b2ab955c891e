/* SPDX-License-Identifier: GPL-2.0-only */
/* The walk up the current task's user stack. */
#ifndef SCALER_WALK_BPF_H
#define SCALER_WALK_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include "code.bpf.h"
#include "compat.bpf.h"
#include "maps.bpf.h"
#include "stack_numbers.bpf.h"
#include "stuck.bpf.h"
#include "templates.bpf.h"
#include "trampoline.bpf.h"

struct walk_call {
	struct known_sites *known;
	struct walk *walk;
};

/* Its context is the walk. */
static long read_and_record(void *context, u64 address, u64 *word)
{
	struct walk *walk = context;

	if (bpf_probe_read_user(word, sizeof(*word), (void *)address))
		return -1;
	if (walk->trampoline && *word == walk->trampoline) {
		*word = trampoline_return_address(address) ?: *word;
		walk->is_replaced = true;
	}
	scaler_recording_read(&walk->recording, address, *word);
	return 0;
}

/* Global, so that the verifier looks at it once, as more here. */
__noinline int template_put(struct known_sites *known, const struct scaler_template *template)
{
	struct scaler_template *set = known && template ? template_set(known, &template->from) : NULL;

	if (!set)
		return 0;
	set[1] = set[0];
	set[0] = *template;
	return 0;
}

/* Its context is the thread's struct known_sites. */
static void template_keep(void *known, const struct scaler_template *template)
{
	template_put(known, template);
}

/* Adds the frames that a template stands for. */
static __always_inline void walk_by_template(struct walk *walk, const struct scaler_template *template)
{
	u64 count = walk->stack.count;

	if (!count)
		walk->stack.sites[0] = template->site;
	walk->has_gaps = true;
	walk->stack.count = count + template->frames;
	scaler_template_apply(template, &walk->frame, &walk->hash);
	walk->stack.unsure |= template->unsure;
	walk->stack.stack = count ? SCALER_STACK_NONE : template->stack;
}

/* Records the step that has ended so. */
__noinline int walk_record(struct walk *walk, struct known_sites *known, u32 end)
{
	if (walk && known &&
	    scaler_recording_go_on(&walk->recording, walk->code.site, walk->code.rule, &walk->frame, end,
				   template_keep, known))
		walk->is_kept = walk->recording.template.frames == walk->stack.count;
	return 0;
}

/* What has been recorded is over. */
__noinline int walk_keep(struct walk *walk, struct known_sites *known)
{
	if (walk && known)
		scaler_recording_keep(&walk->recording, template_keep, known);
	return 0;
}

/* At a step that no template may have: what is in memory says the same for any caller. */
static __always_inline void walk_record_break(const struct walk_call *call)
{
	walk_keep(call->walk, call->known);
	call->walk->recording.template.frames = 0;
}

/* The walk has as many frames as are wanted. */
static __always_inline void walk_record_limit(const struct walk_call *call)
{
	struct scaler_recording *recording = &call->walk->recording;

	if (recording->template.frames == call->walk->stack.count) {
		recording->template.end = SCALER_STACK_LIMIT;
		call->walk->is_kept = true;
	}
	walk_keep(call->walk, call->known);
}

/* Where mappings cannot be looked at user space teaches; below Linux 6.1 it gets none, and cannot. */
static __always_inline enum scaler_stack_end walk_find_code(struct walk *walk, bool *is_new)
{
	if (!walk->is_atomic || !kernel_has_mapping_tree())
		return code_find(walk->address_space, walk->frame.pc, &walk->code, is_new);
	if (!code_is_known(walk->address_space, walk->frame.pc, &walk->code))
		return SCALER_STACK_BUSY;
	return walk->code.rule.kind == SCALER_UNWIND_NO_CODE ? SCALER_STACK_NO_CODE : SCALER_STACK_GOES_ON;
}

/* Adds one frame, and goes on to its caller's. */
static __always_inline enum scaler_stack_end walk_frame(const struct walk_call *call)
{
	struct walk *walk = call->walk;
	u64 count = walk->stack.count;
	enum scaler_stack_end end;
	bool is_new = false;

	barrier_var(count); /* the check must be on the register that indexes */
	if (count >= SCALER_STACK_FRAMES || count >= stack_depth.frames) {
		walk_record_limit(call);
		return SCALER_STACK_LIMIT;
	}
	end = walk_find_code(walk, &is_new);
	if (!count)
		walk->begins_new = is_new;
	if (end) {
		/* User space may have been told the mappings before. */
		walk->is_stuck = end == SCALER_STACK_BUSY;
		walk_keep(walk, call->known);
		return end;
	}
	walk->stack.sites[count] = walk->code.site;
	walk->stack.count = count + 1;
	scaler_stack_hash_add(&walk->hash, walk->code.site);
	if (walk->code.rule.kind == SCALER_UNWIND_UNKNOWN) {
		walk->is_stuck = true;
		walk_keep(walk, call->known);
		return SCALER_STACK_NO_RULE;
	}
	scaler_recording_step(&walk->recording, &walk->frame);
	walk->is_replaced = false;
	end = scaler_frame_step(&walk->frame, walk->code.rule, read_and_record, walk);
	walk->stack.unsure |= walk->frame.unsure != 0;
	if (walk->is_replaced)
		walk_record_break(call);
	else
		walk_record(walk, call->known, end);
	return end;
}

/* From where no frame has been recorded yet. */
static __always_inline const struct scaler_template *walk_find_template(const struct walk_call *call)
{
	struct walk *walk = call->walk;
	const struct scaler_template *template;

	if (walk->in_full || walk->recording.template.frames)
		return NULL;
	template = template_find(call->known, &walk->frame, false);
	if (!template || walk->stack.count + template->frames > stack_depth.frames ||
	    (template->end == SCALER_STACK_LIMIT && walk->stack.count))
		return NULL;
	return template;
}

static long walk_step(u32 index, void *data)
{
	struct walk_call *call = data;
	const struct scaler_template *template = walk_find_template(call);

	if (template) {
		walk_by_template(call->walk, template);
		call->walk->stack.end = template->end;
	} else {
		if (!call->walk->recording.template.frames)
			scaler_recording_begin(&call->walk->recording, &call->walk->frame);
		call->walk->stack.end = walk_frame(call);
	}
	return call->walk->stack.end != SCALER_STACK_GOES_ON;
}

static __always_inline void walk_run(struct walk_call *call, struct pt_regs *regs, bool in_full)
{
	struct walk *walk = call->walk;

	walk->stack.kind = SCALER_EVENT_STACK;
	walk->stack.stack = SCALER_STACK_NONE;
	walk->stack.end = SCALER_STACK_GOES_ON;
	walk->stack.count = 0;
	walk->stack.unsure = 0;
	walk->hash = (struct scaler_stack_hash){};
	walk->is_stuck = walk->is_kept = walk->has_gaps = walk->begins_new = false;
	walk->in_full = in_full;
	walk->recording.template.frames = 0;
	call_frame(regs, &walk->frame);
	bpf_loop(SCALER_STACK_FRAMES + 1, walk_step, call, 0);
}

/* The number of the stack that the walk has found, of which user space is told; SCALER_STACK_NONE, too, if it is stuck. */
static __always_inline u32 walk_number(struct walk_call *call, struct pt_regs *regs)
{
	struct walk *walk = call->walk;
	u32 number = walk->stack.stack;

	if (!number && !walk->is_stuck)
		number = stack_number_find(walk);
	if (number)
		return number;
	if (walk->has_gaps)
		walk_run(call, regs, true);
	if (walk->is_stuck)
		return SCALER_STACK_NONE;
	return stack_number_find(walk) ?: stack_number_give(walk);
}

#endif
