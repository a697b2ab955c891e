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

/*
 * Finds where, and with which stack, the current task has issued the system call that it is in. Returns whether
 * the site was new to its address space, so that its file's build-id may not be known. Not static, so that the
 * verifier looks at it once, whatever it is called from.
 */
bool call_walk_stack(void);

/*
 * Finds where the current task is in user space, and with which stack, from an interrupt; interrupted: it is not
 * in a system call.
 */
int sample_walk_stack(struct scaler_sample *sample, __u32 interrupted);

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
