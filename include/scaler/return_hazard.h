/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a probe on the return of a call does harm. Such a probe replaces the return address on the stack, and whatever
 * unwinds or reads the stack while it is there goes wrong. What may do that is told by the files that a process runs
 * code from. All of them count, also those that are mapped while a call is open: an exception that code from there
 * throws through the older frame is caught, or cleaned up after, by code of a file that was there before, and has shown by
 * then that it unwinds; and nobody runs what is new before the kernel side has seen that it is mapped.
 */
#ifndef SCALER_RETURN_HAZARD_H
#define SCALER_RETURN_HAZARD_H

#include <linux/types.h>

/* What the code of a file may do, as bits. */
enum scaler_ability {
	SCALER_UNWINDS = 1, /* through frames whatever they belong to */
	SCALER_ENDS_THREADS = 2,
	SCALER_CANCELS_THREADS = 4,
	SCALER_CLEANS_UP = 8,   /* frames of its own run code as they are unwound */
	SCALER_CALLS_BACK = 16, /* from functions of the C library whose declarations do not show it */
	SCALER_MOVES_STACKS = 32,
	SCALER_TRACES =
		256, /* other processes by ptrace, children perhaps that begin with the probes of their parent */
	SCALER_IS_UNKNOWN = 64, /* what it does cannot be known */
	SCALER_IS_NEW = 128,    /* nobody has looked at it yet */
};

/* What may happen in a process, as bits; for each function some of them matter. */
enum scaler_return_hazard {
	SCALER_RETURN_UNWINDS =
		1, /* frames of functions that call the program back may be unwound, or looked through */
	SCALER_RETURN_CANCELS =
		2, /* so may those of functions that block, or that use streams of the program's own */
	SCALER_RETURN_ANYWHERE = 4, /* so may any frame at any time */
	SCALER_RETURN_UNKNOWN = 8,  /* whatever it is: a file has not been looked at yet; it matters to all */
	SCALER_RETURN_TRACED =
		32, /* another process traces it by ptrace, and would see such probes; to all */
	SCALER_RETURN_PAUSED = 16, /* no hazard: probes are being taken out */
};

/*
 * From what all files of a process may do together. A thread that ends or is cancelled unwinds its stack to clean up. It
 * finds no frame above one whose return is probed, and the C library then goes on as if it had reached the outermost: it
 * still runs what pthread_cleanup_push() has registered in C, and would miss no more than what compilers generate.
 */
static inline __attribute__((always_inline)) __u32 scaler_return_hazards(__u32 abilities)
{
	__u32 cancels = abilities & SCALER_CLEANS_UP && abilities & SCALER_CANCELS_THREADS,
	      ends = abilities & SCALER_CLEANS_UP && abilities & SCALER_ENDS_THREADS,
	      unwinds = abilities & SCALER_UNWINDS || cancels || ends,
	      calls_back = unwinds && abilities & SCALER_CALLS_BACK,
	      anywhere = abilities & (SCALER_MOVES_STACKS | SCALER_IS_UNKNOWN);

	return (unwinds ? SCALER_RETURN_UNWINDS : 0) | (cancels || calls_back ? SCALER_RETURN_CANCELS : 0) |
	       (anywhere ? SCALER_RETURN_ANYWHERE : 0) |
	       (abilities & SCALER_TRACES ? SCALER_RETURN_TRACED : 0) |
	       (abilities & SCALER_IS_NEW ? SCALER_RETURN_UNKNOWN : 0);
}

#endif
