/* SPDX-License-Identifier: GPL-2.0-only */
/* The stacks of system calls: by a walk, or by what is known of an earlier one. */
#ifndef SCALER_STACK_BPF_H
#define SCALER_STACK_BPF_H

#include <vmlinux.h>
#include <scaler/event.h>
#include "address_space.bpf.h"
#include "compat.bpf.h"
#include "maps.bpf.h"
#include "templates.bpf.h"

/* Set by user space before loading. */
const volatile struct scaler_stack_depth stack_depth __weak;

/* Walks of calls are not preempted by each other, but by those of samples. */
enum walk_kind {
	WALK_OF_CALL,
	WALK_OF_SAMPLE,
	WALK_KINDS,
};

/* What a walk has come upon. */
#define WALK_BEGINS_NEW 1 /* its site was new to the address space: its file's build-id may not be known */
#define WALK_IS_STUCK   2 /* user space must go on with it: stuck_number() */
#define WALK_IS_OWED    4 /* it is not, and user space lacks the mappings for one that was: stuck_describe() */

/* Where a system call was issued. */
struct call_place {
	u64 site;
	u32 stack; /* its number */
	u32 zero;
};

/*
 * Finds where, and with which stack, the current task, which is traced, has issued the system call that it is in; returns
 * WALK_*. kind: WALK_OF_SAMPLE from within a switch or wakeup. Not static, as those that follow, so that the verifier
 * looks at it once, whatever it is called from.
 */
u32 call_walk_stack(u32 kind, struct call_place *place);

/* What a sample's walk begins at. */
enum walk_from {
	WALK_FROM_INTERRUPTED, /* where an interrupt found it */
	WALK_FROM_KERNEL,      /* where it entered the kernel, which the sample names apart in the same way */
	WALK_FROM_CALL,        /* the same, as a system call that is recorded: SCALER_SAMPLE_IN_CALL */
};

/* Finds where the current task is in user space, and with which stack, from an interrupt. Returns WALK_*. */
u32 sample_walk_stack(struct scaler_sample *sample, u32 from);

/* Each tells user space the mappings of the current task, whose walk of that kind is stuck, if it does not know them. */
int call_describe(void);
int sample_describe(void);

/* Leaves that walk to user space: the number that the stack will have, SCALER_STACK_NONE if it cannot be told. */
u32 stuck_tell(u32 kind);

/* The one for that kind. */
static __always_inline void stuck_describe(const u32 kind)
{
	if (kind == WALK_OF_CALL)
		call_describe();
	else
		sample_describe();
}

/* Both. One after the other from here, because they need much of the stack that all functions share. */
static __always_inline u32 stuck_number(const u32 kind)
{
	stuck_describe(kind);
	return stuck_tell(kind);
}

/* The same where the whole stack is a template; false: a walk must tell. */
static __always_inline bool stack_recall(struct task_state *state, struct task_struct *task,
					 struct pt_regs *regs, struct scaler_open_call *call)
{
	const struct scaler_template *template;
	struct scaler_frame frame;

	if (!uses_templates)
		return false;
	address_space_number(task, &state->sites);
	call_frame(regs, &frame);
	template = template_find(&state->sites, &frame, true);
	if (!template)
		return false;
	call->site = template->site;
	call->stack = template->stack;
	return true;
}

#endif
