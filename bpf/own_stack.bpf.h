/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a thread is on its own stack: not on one for signals, or of a coroutine. */
#ifndef SCALER_OWN_STACK_BPF_H
#define SCALER_OWN_STACK_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "compat.bpf.h"
#include "library_frames.bpf.h"
#include "mapping.bpf.h"

/* Whether the address is on the current thread's own stack. Global, so that it is verified only once. */
__weak __noinline bool own_stack_extends_to(struct library_stack *stack, u64 address)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 top = own_stack_top(task);
	struct vm_area_struct *mapping;

	if (!stack || !top || address >= top || !kernel_has_mapping_tree())
		return false;
	mapping = mapping_find(task, address);
	if (!mapping || BPF_CORE_READ(mapping, vm_end) <= top)
		return false;
	stack->low = BPF_CORE_READ(mapping, vm_start);
	stack->high = top;
	return true;
}

static __always_inline bool own_stack_has(struct library_stack *stack, u64 address)
{
	return (address >= stack->low && address < stack->high) || own_stack_extends_to(stack, address);
}

#endif
