/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel side hands to the user side: the keys and values of the fold maps, and the
 * counters of what was lost. Fixed-width fields, sizes and offsets asserted, no padding unnamed.
 */
#ifndef SCALER_RECORD_H
#define SCALER_RECORD_H

#include <linux/types.h>

/* The system-call table that a call number belongs to. */
enum scaler_abi {
	SCALER_ABI_NATIVE,
	SCALER_ABI_COMPAT, /* 32-bit entry on a 64-bit kernel: i386 numbers on x86-64 */
};

/*
 * One row of the system-call fold. task is the serial number that the kernel side gave to the
 * thread when it began to trace it; unlike a TID it is never reused within one recording, and only
 * that thread writes the row, so that updates need no atomic operation.
 */
struct scaler_call_key {
	__u32 task;
	__u16 number;
	__u8 abi; /* enum scaler_abi */
	__u8 zero;
};
_Static_assert(sizeof(struct scaler_call_key) == 8, "hashed as a whole: no padding");

struct scaler_call_stats {
	__u64 count; /* calls entered while recording */
};
_Static_assert(sizeof(struct scaler_call_stats) == 8, "shared layout");

/* Why something was not recorded; indexes the loss counters. */
enum scaler_loss {
	SCALER_LOSS_TASK_STORAGE, /* a thread could not be followed: no memory for its state */
	SCALER_LOSS_THREAD_MAP,	  /* a thread's times are missing: the thread map is full */
	SCALER_LOSS_CALL_MAP,	  /* a call was not counted: the system-call map is full */
	SCALER_LOSS_COUNT,
};

#endif
