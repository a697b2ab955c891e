/* SPDX-License-Identifier: GPL-2.0-only */
/* Stacks of traced threads, as sites from the innermost frame on. */
#ifndef SCALER_STACK_H
#define SCALER_STACK_H

#include <linux/types.h>

/* Why a walk up a stack ended. All but the first three leave it cut. */
enum scaler_stack_end {
	SCALER_STACK_GOES_ON,     /* it has not */
	SCALER_STACK_COMPLETE,    /* at the outermost frame */
	SCALER_STACK_AS_ASKED,    /* at the frame up to which it was wanted */
	SCALER_STACK_LIMIT,       /* at the most frames that are recorded */
	SCALER_STACK_NO_RULE,     /* nothing tells the frame's caller */
	SCALER_STACK_REGISTER,    /* a register that tells it was lost on the way */
	SCALER_STACK_MEMORY,      /* the stack cannot be read there */
	SCALER_STACK_IMPLAUSIBLE, /* what tells it cannot be true */
	SCALER_STACK_NO_CODE,     /* the return address leads to nothing executable */
	SCALER_STACK_NOT_COPIED,  /* learning needed more of the stack than was copied, or came too late */
	SCALER_STACK_BUSY,        /* the mappings could not be looked at, because they were being changed */
	SCALER_STACK_NOT_CALLED, /* the call that seems to be next leads elsewhere: the frame's callers keep no frame pointer */
	SCALER_STACK_ENDS,
};

#define SCALER_STACK_FRAMES 127 /* at most */

/* How far a stack is walked. */
struct scaler_stack_depth {
	__u32 frames;         /* at most; 0: it is not walked */
	__u32 to_application; /* not 0: no further than the innermost frame of the application */
};

/* The number of no stack. Numbers are given by the kernel side, once in a recording. */
#define SCALER_STACK_NONE 0

#endif
