/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread that calls probed functions keeps of its calls, so that the next is known without a search. */
#ifndef SCALER_LIBRARY_STATE_BPF_H
#define SCALER_LIBRARY_STATE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include "task_data.bpf.h"

/* What a thread knows of its latest library calls, so that few of them need a look at its mappings and a hash. */
#define KNOWN_CALLS_BITS 6
struct known_library_call {
	u64 return_address;
	u32 function;
	u32 parent;
	u32 context; /* SCALER_CONTEXT_NONE: within one component, and not counted */
	u32 row;     /* NEAR_CALL_IS_FAR: it has no near one */
	u32 caller;
	u32 base; /* the parent of what is called from it */
};

/* Which of a thread's contexts have a near row. None leaves, so that no context has two. */
#define NEAR_CONTEXT_SETS 16
#define NEAR_CONTEXT_WAYS 4
struct near_context {
	u32 context; /* SCALER_CONTEXT_NONE: the slot is free */
	u32 row;
};

/* Kernel-side state of one traced thread that calls traced functions. */
struct library_state {
	u64 address_space; /* in which the next are so */
	struct known_library_call calls[1 << KNOWN_CALLS_BITS];
	struct near_context near[NEAR_CONTEXT_SETS][NEAR_CONTEXT_WAYS];
	u64 code_pages; /* that its process could run at its last call; 0: it had none */
};

TASK_DATA(library_state, struct library_state)

#endif
