/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library calls of a thread that are open: those of functions whose exits have probes. On the thread's own stack
 * alone, where calls end in the opposite order of their beginning. Calls elsewhere are only counted.
 */
#ifndef SCALER_LIBRARY_FRAMES_BPF_H
#define SCALER_LIBRARY_FRAMES_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/record.h>
#include "task_data.bpf.h"

/* Deeper calls are counted, and not timed. */
#define LIBRARY_FRAMES 64

struct library_frame {
	u64 slot; /* where on the stack its return address is, or what another tracer's probe has put there instead */
	u64 return_address;          /* the true one */
	u64 address;                 /* of the function's first instruction */
	struct scaler_times entered; /* the clock's time, and the thread's in its states */
	struct scaler_times inner;   /* of calls that have been made from it, and are over */
	u32 function;
	u32 caller; /* its component */
	u32 context;
	u32 base;          /* the parent of contexts of calls that are made from it */
	u32 row;           /* as struct known_library_call has it */
	u32 outside_ns;    /* what its probes take before the call was entered and after it has returned */
	u32 window_weight; /* 0: it stands for itself */
	u32 window_group;
	u64 probes_ns; /* and since it was entered, those of the calls included that have been made from it */
};

struct library_stack {
	u64 mm;         /* whose the next three are */
	u64 low;        /* of the thread's own stack what is known to be mapped */
	u64 high;       /* its top */
	u64 trampoline; /* what others' return probes put in the place of return addresses; 0: not known yet */
	u32 depth;
	u32 zero;
	struct library_frame frames[LIBRARY_FRAMES]; /* the outermost first */
};

TASK_DATA(library_stack, struct library_stack)

/* Whether the ends of calls are seen at all. Set by user space before loading. */
const volatile bool times_library_calls __weak;

static __always_inline struct library_frame *library_frame(struct library_stack *stack, u64 index)
{
	barrier_var(index);
	return &stack->frames[index & (LIBRARY_FRAMES - 1)];
}

#endif
