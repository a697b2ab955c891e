/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a CPU is at when a wakeup comes from it: a task's own work, a soft interrupt or a hard one. The preempt count
 * tells which of these; which interrupt, the tracepoints at its beginning and end.
 */
#ifndef SCALER_INTERRUPTS_BPF_H
#define SCALER_INTERRUPTS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/block_request.h>
#include <scaler/blocking.h>
#include "compat.bpf.h"
#include "scratch.bpf.h"

/* What a CPU serves just now; numbers from 1 on, 0: none. Hard interrupts can come within soft ones. */
struct interrupts {
	u32 softirq;       /* its vector */
	u32 hardirq;       /* the device's number */
	u32 softirq_timer; /* a timer that has expired: of the timer wheel */
	u32 hardirq_timer; /* of high resolution */
	/* The request to a block device that was completed last, if that interrupt still is served. */
	u32 completed_in; /* enum scaler_waker_context */
	struct scaler_block_request completed;
};

SCRATCHES(interrupts, struct interrupts, 1);

static __always_inline struct interrupts *interrupts_get(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&interrupts, &zero);
}

static __always_inline void interrupts_end(struct interrupts *now, enum scaler_waker_context context)
{
	if (now->completed_in == context)
		now->completed.completed_ns = 0;
}

/* include/linux/preempt.h */
#define PREEMPT_NMI     0x00f00000
#define PREEMPT_HARDIRQ 0x000f0000
#define PREEMPT_SOFTIRQ 0x00000100 /* it is served, not only kept from being served */

/* Without the preempt count: that no interrupt is known does not mean that there is none. */
static __always_inline enum scaler_waker_context context_by_tracepoints(const struct interrupts *now)
{
	if (now->hardirq || now->hardirq_timer)
		return SCALER_WAKER_HARDIRQ;
	return now->softirq ? SCALER_WAKER_SOFTIRQ : SCALER_WAKER_UNKNOWN;
}

static __always_inline enum scaler_waker_context waker_context(struct task_struct *current,
							       const struct interrupts *now)
{
	u32 count;

	if (!preempt_count_read(current, &count))
		return context_by_tracepoints(now);
	if (count & PREEMPT_NMI)
		return SCALER_WAKER_NMI;
	if (count & PREEMPT_HARDIRQ)
		return SCALER_WAKER_HARDIRQ;
	return count & PREEMPT_SOFTIRQ ? SCALER_WAKER_SOFTIRQ : SCALER_WAKER_TASK;
}

static __always_inline void waker_read_context(struct scaler_waker *waker, struct task_struct *current)
{
	const struct interrupts *now = interrupts_get();
	u32 number = 0;

	if (!now)
		return;
	waker->context = waker_context(current, now);
	waker->is_timer = false;
	if (waker->context == SCALER_WAKER_HARDIRQ) {
		waker->is_timer = now->hardirq_timer;
		number = now->hardirq;
	} else if (waker->context == SCALER_WAKER_SOFTIRQ) {
		/* Where timers of high resolution are served by a soft interrupt, they are of that one. */
		waker->is_timer = now->softirq_timer || now->hardirq_timer;
		number = now->softirq;
	}
	waker->vector = number ? number - 1 : SCALER_VECTOR_NONE;
}

#endif
