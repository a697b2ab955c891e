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

/*
 * id.abi of the rows of the call fold that count library calls; of their keys all but task and context is then 0.
 * Beyond all system-call tables.
 */
#define SCALER_ABI_LIBRARY 0xff

#endif
