/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel side tells through its ring buffer: stacks that are new, and what it takes to learn how
 * to go on where a walk got stuck. Events of one address space come in the order of their causes.
 */
#ifndef SCALER_EVENT_H
#define SCALER_EVENT_H

#include <linux/types.h>

#include <scaler/stack.h>
#include <scaler/unwind_step.h>

enum scaler_event_kind {
	SCALER_EVENT_STACK,
	SCALER_EVENT_STUCK,
	SCALER_EVENT_ADDRESS_SPACE,
	SCALER_EVENT_SAMPLE,
	SCALER_EVENT_BLOCKING, /* blocking.h */
};

/* A stack and its number. */
struct scaler_stack_event {
	__u32 kind;
	__u32 stack;
	__u16 end;    /* enum scaler_stack_end */
	__u16 unsure; /* not 0: some caller in it is, as scaler_frame.unsure says */
	__u32 count;
	__u64 sites[SCALER_STACK_FRAMES]; /* from the innermost frame on; as many as count says */
};

/* Stacks are copied in parts of this size. */
#define SCALER_COPY_PAGE  4096
#define SCALER_COPY_PAGES 64 /* at most */

/*
 * A walk that met an instruction without a rule, or could not look at the mappings, to be gone on with by a copy
 * of the thread's stack. The stack's number is its own: the call is already counted under it.
 */
struct scaler_stuck_event {
	/* SCALER_STACK_NO_RULE: the last of its frames has none; SCALER_STACK_BUSY: what comes has no site. */
	struct scaler_stack_event stack;
	struct scaler_frame frame; /* where it is stuck */
	__u64 address_space;       /* its number */
	__u64 copy_start;          /* an address */
	__u64 missing;             /* bit N: page N could not be read */
	__u32 copy_pages;
	__u32 tgid;
	__u32 interrupted; /* not 0: the frame's pc is of an instruction that has not been executed */
	__u32 zero;
	__u8 copy[];
};

struct scaler_mapping {
	__u64 start;
	__u64 end;
	__u64 site;        /* of start */
	__u32 generated;   /* not 0: generated at run time */
	__u32 application; /* not 0: of the file that the process executes, or generated */
};

#define SCALER_MAPPINGS 1000 /* at most */

/* All code mappings of an address space, as they are until it gets another number. */
struct scaler_address_space_event {
	__u32 kind;
	__u32 count;
	__u64 address_space;
	__u32 truncated;                                 /* not 0: it has more of them */
	__u32 unnamed;                                   /* of them: without a component, for want of room */
	__u64 code_pages;                                /* of the others, as mm_struct.exec_vm counts */
	struct scaler_mapping mappings[SCALER_MAPPINGS]; /* as many as count says */
};

/* Which part of its stack a sample names apart. */
enum scaler_sample_kind {
	SCALER_SAMPLE_OUTSIDE, /* in no system call: the stack is that of the site's callers */
	SCALER_SAMPLE_WHOLE,   /* the same, and the stack begins with what the site would be, which is 0 */
	SCALER_SAMPLE_IN_CALL, /* the site and the stack are the system call's */
};

/* Where a thread was found running, or blocked. */
struct scaler_sample {
	__u64 site;   /* of the instruction in user space; 0: see kind, or there is none */
	__u64 kernel; /* the site in the kernel; 0: not known, or it ran in user space */
	__u32 task;   /* its serial number */
	__u32 stack;
	__u32 kind; /* enum scaler_sample_kind */
	__u32 zero;
};

struct scaler_sample_event {
	__u32 kind;
	__u32 zero;
	struct scaler_sample sample;
};

#endif
