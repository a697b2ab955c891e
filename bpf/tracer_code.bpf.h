/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a CPU sample found the tracer at work in a thread, and not the thread's program. */
#ifndef SCALER_TRACER_CODE_BPF_H
#define SCALER_TRACER_CODE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/code_range.h>
#include "compat.bpf.h"
#include "scratch.bpf.h"

/* Our programs as the kernel has compiled them, and the kernel's functions that serve probes. Set by user space. */
extern struct scaler_code_ranges tracer_code;
/* Whether probes are set, so that what the kernel has mapped for them is the tracer's. Set before loading. */
const volatile bool sets_probes __weak;

#define TRACER_FRAMES 32 /* from a helper, our program, and what called it, up to the trap */

struct tracer_stack {
	u64 addresses[TRACER_FRAMES];
};

SCRATCHES(tracer_stacks, struct tracer_stack, 1);

/* Global, so that the verifier looks at it once, and not for each frame. */
__weak __noinline bool address_is_tracer(u64 address)
{
	return scaler_code_ranges_have(&tracer_code, address);
}

struct tracer_search {
	const struct tracer_stack *stack;
	bool is_found; /* out */
};

static long tracer_step(u32 index, void *data)
{
	struct tracer_search *search = data;

	if (index >= TRACER_FRAMES)
		return 1;
	/* Those above the innermost are return addresses, which may be of another function if theirs does not return. */
	if (!address_is_tracer(search->stack->addresses[index] - !!index))
		return 0;
	search->is_found = true;
	return 1;
}

/* What is interrupted in the kernel is the tracer's if any of the functions that led there is. */
static __noinline bool kernel_stack_is_tracer(struct bpf_perf_event_data *context)
{
	struct tracer_search search = {};
	struct tracer_stack *stack;
	u32 key = 0;
	long bytes;

	stack = bpf_map_lookup_elem(&tracer_stacks, &key);
	if (!stack)
		return false;
	bytes = bpf_get_stack(context, stack, sizeof(*stack), 0);
	if (bytes <= 0)
		return false;
	search.stack = stack;
	bpf_loop(bytes / sizeof(u64), tracer_step, &search, 0);
	return search.is_found;
}

/*
 * The kernel maps a page into a probed process, to which functions return whose returns are probed, and in which it has
 * probed instructions executed: the CPU is there only on its way from one trap to the next.
 */
static __always_inline bool thread_is_between_traps(struct task_struct *task, struct pt_regs *regs)
{
	u64 page = sets_probes ? return_trampoline(task) : 0;

	return page && PT_REGS_IP(regs) - page < 1ULL << page_shift;
}

#endif
