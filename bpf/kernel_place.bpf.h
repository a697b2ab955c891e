/* SPDX-License-Identifier: GPL-2.0-only */
/* Where in the kernel a thread sleeps: in the innermost function that is not one of the scheduler's own. */
#ifndef SCALER_KERNEL_PLACE_BPF_H
#define SCALER_KERNEL_PLACE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/component.h>
#include "scratch.bpf.h"

/*
 * The functions that put a task to sleep, and locks, lie together, in the section by which /proc/PID/wchan knows them
 * too (kernel/sched/core.c: in_sched_functions). 0: not known.
 */
__u64 sched_text_start __weak;
__u64 sched_text_end __weak;

#define KERNEL_FRAMES 16 /* those that lead from the function to the tracepoint */

struct kernel_stack {
	u64 addresses[KERNEL_FRAMES];
};

/* An iterator can be preempted, and then switched out, while it looks at another task. */
enum kernel_stack_use {
	KERNEL_STACK_SWITCH,
	KERNEL_STACK_ITERATOR,
	KERNEL_STACK_USES,
};

SCRATCHES(kernel_stacks, struct kernel_stack, KERNEL_STACK_USES);

static __always_inline bool address_is_sched(u64 address)
{
	return address >= sched_text_start && address < sched_text_end;
}

/*
 * What comes before the scheduler's functions has been called by them: the tracepoint. Global, so that the verifier looks
 * at it once.
 */
__weak __noinline u64 kernel_place_choose(const struct kernel_stack *stack, long bytes, bool is_within)
{
	if (!stack)
		return 0;
	for (int i = 0; i < KERNEL_FRAMES && i * (long)sizeof(u64) < bytes; i++) {
		u64 address = stack->addresses[i] - 1; /* it is a return address */

		if (is_within && !address_is_sched(address))
			return scaler_site(SCALER_COMPONENT_KERNEL, address);
		is_within |= address_is_sched(address);
	}
	return 0;
}

/* The site of the current task, which is being switched out; 0: not known, as with the next. */
static __always_inline u64 kernel_place_find(void *context)
{
	u32 use = KERNEL_STACK_SWITCH;
	struct kernel_stack *stack = bpf_map_lookup_elem(&kernel_stacks, &use);

	return stack && sched_text_start ?
		       kernel_place_choose(stack, bpf_get_stack(context, stack, sizeof(*stack), 0), false) :
		       0;
}

/* Of another, which sleeps; its stack as the kernel tells it begins where it has called the scheduler. */
static __always_inline u64 kernel_place_of(struct task_struct *task)
{
	u32 use = KERNEL_STACK_ITERATOR;
	struct kernel_stack *stack = bpf_map_lookup_elem(&kernel_stacks, &use);

	return stack && sched_text_start ?
		       kernel_place_choose(stack, bpf_get_task_stack(task, stack, sizeof(*stack), 0), true) :
		       0;
}

#endif
