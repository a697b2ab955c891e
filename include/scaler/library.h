/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Library calls as the kernel side counts them: by context, which is the chain of call edges that are open. A context
 * is a node of a tree, named by its parent, the function called, and the component that called it.
 */
#ifndef SCALER_LIBRARY_H
#define SCALER_LIBRARY_H

#include <linux/types.h>

/* A call of a traced function from another component than its own; hashed as a whole. */
struct scaler_context_key {
	__u32 parent;   /* the context that it was called in; SCALER_CONTEXT_NONE: outermost */
	__u32 function; /* its number among the traced functions, from 1 */
	__u32 caller;   /* the component that it returns to: component.h */
};

struct scaler_context {
	__u32 number;    /* from 1 */
	__u32 component; /* that the function lies in */
};

#define SCALER_CONTEXT_NONE 0

/* The cookie of a probe on a function: its number in the lower half, with these bits, the generation of the link above. */
#define SCALER_COOKIE_GENERATION_SHIFT 32
/* It is at one of the function's exits, not at its entry. */
#define SCALER_COOKIE_EXIT 0x80000000U
/* It is there to see how often it is hit, and nothing is recorded. */
#define SCALER_COOKIE_SCREENS 0x40000000U
#define SCALER_COOKIE_NUMBER  0x3fffffffU

/* One traced function, in an array by its number that both sides have mapped. */
struct scaler_function {
	__u32 component; /* that it lies in, 0: not yet known; the kernel side's */
	__u32 generation; /* of its links, but for those that replace them; the user side's, as are the next two */
	__u32 entry_ns; /* what a hit at its entry takes, without the program; it may change */
	__u32 exit_ns;  /* what a hit at one of its exits takes */
	/* CLOCK_MONOTONIC; from then on nothing is recorded but in windows. 0: all is. */
	__u64 unhooked_ns;
	__u32 within_ns; /* of entry_ns and exit_ns, what is between the programs; the user side's, as are the next */
	__u32 is_relinked;   /* links of the next generation replace its links just now */
	__u32 ends_at_exits; /* probes in its own code tell when its calls end */
	__u32 jumps_on;      /* its code jumps to where another function begins */
	/*
	 * Of one that is unhooked because it costs too much: what a call stands for that is entered now, in a window for which
	 * it has probes; 0: there is none. And to which group of windows that belongs (call_window.h).
	 */
	__u32 window_weight;
	__u32 window_group;
};
_Static_assert(sizeof(struct scaler_function) == 48, "shared layout");

/* A file, while it is sure to exist: it is open, or some process has it mapped. */
struct scaler_file_key {
	__u64 inode;
	__u32 device; /* as struct scaler_component_key has it */
	__u32 zero;
};

/*
 * Where files have probes, so that it can be seen when they are gone: of each some, if there are more. A file's come
 * together.
 */
#define SCALER_PROBED_PLACES         131072
#define SCALER_PROBED_PLACES_OF_FILE 8192

struct scaler_probed_file {
	__u32 first;
	__u32 count;
};

/* A place: its offset in the file, and the byte that the file has there. */
static inline __attribute__((always_inline)) __u64 scaler_probed_place(__u64 offset, __u8 byte)
{
	return offset << 8 | byte;
}

/* What is being done about a process: bits. */
enum scaler_probing {
	SCALER_PROBES_REFUSED = 1,  /* it is to have no probes */
	SCALER_PROBES_ATTACHED = 2, /* some are being put there just now */
};

/* What the probes on it have cost on one CPU. */
struct scaler_function_cost {
	__u64 entries; /* hits, whosever they were */
	__u64 exits;
	__u64 spent_ns; /* by all of them, in the programs by an estimate from some */
};

/*
 * id.abi of the rows of the call fold that count library calls; of their keys all but task and context is then 0.
 * Beyond all system-call tables.
 */
#define SCALER_ABI_LIBRARY 0xff

#endif
