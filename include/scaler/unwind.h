/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the caller of a frame is found: one rule for each instruction that a thread is found at, made in user
 * space from a file's call frame information and followed in the kernel.
 *
 * Words as in DWARF 5, section 6.4: the CFA of a frame is its caller's stack pointer behind the call.
 */
#ifndef SCALER_UNWIND_H
#define SCALER_UNWIND_H

#include <linux/types.h>

enum scaler_unwind_kind {
	SCALER_UNWIND_UNKNOWN, /* nobody has asked for it yet */
	/* The CFA is a register and cfa_offset; the return address is in the word below it. */
	SCALER_UNWIND_RSP,
	SCALER_UNWIND_RBP,
	SCALER_UNWIND_RBX,
	/* The CFA is the word at a register and cfa_offset, and added_words. */
	SCALER_UNWIND_RSP_LOAD,
	SCALER_UNWIND_RBP_LOAD,
	/* The CFA is rsp and cfa_offset, the return address in rdi, which is known of the innermost frame only: vfork() */
	SCALER_UNWIND_RETURN_IN_RDI,
	/*
	 * No rule says so: rbp taken for a frame pointer, to be believed as far as the chain is plausible. cfa_offset: where
	 * the instruction ends, in bytes behind its function's start; 0: not known.
	 */
	SCALER_UNWIND_FRAME_POINTER,
	SCALER_UNWIND_SIGNAL, /* what the signal interrupted is in the kernel's signal frame, at rsp */
	SCALER_UNWIND_OUTERMOST,
	SCALER_UNWIND_AS_ASKED, /* the walk was asked to go no further */
	SCALER_UNWIND_CANNOT,   /* cfa_offset is an enum scaler_unwind_problem */
	SCALER_UNWIND_NO_CODE,  /* nothing that can be executed is mapped there */
	SCALER_UNWIND_KINDS,
};

/* Why an instruction's caller cannot be found. */
enum scaler_unwind_problem {
	SCALER_UNWIND_NO_FILE = 1, /* its file cannot be read, or is another by now */
	SCALER_UNWIND_NO_TABLE,    /* the file describes no frames */
	SCALER_UNWIND_NOT_COVERED, /* it describes those of other code */
	SCALER_UNWIND_BAD_TABLE,   /* the description cannot be read */
	SCALER_UNWIND_EXPRESSION,  /* it reckons in a way that a rule cannot say */
	SCALER_UNWIND_REGISTER,    /* it takes a register that is not followed */
	SCALER_UNWIND_PROBLEMS,
};

/* Where the frame keeps the value that a register had in its caller. */
#define SCALER_UNWIND_KEPT   0   /* in the register */
#define SCALER_UNWIND_AT_RBP 254 /* in the word that rbp points to; of rbp only */
#define SCALER_UNWIND_LOST   255 /* in no place that a rule can say */
/* Of SCALER_UNWIND_FRAME_POINTER: the function begins by making rbp its own frame pointer. */
#define SCALER_UNWIND_SET_UP 1
/* Any other value: that many words below the CFA. */
#define SCALER_UNWIND_WORDS 253

struct scaler_unwind_rule {
	__u8 kind;        /* enum scaler_unwind_kind */
	__u8 added_words; /* of 8 bytes */
	__u8 rbp;
	__u8 rbx;
	__s32 cfa_offset; /* bytes */
};
_Static_assert(sizeof(struct scaler_unwind_rule) == 8, "shared layout");

/* In the kernel's signal frame on x86-64, from its rsp on: struct rt_sigframe of arch/x86. */
#define SCALER_SIGNAL_RBP 120
#define SCALER_SIGNAL_RBX 128
#define SCALER_SIGNAL_RSP 160
#define SCALER_SIGNAL_RIP 168

#endif
