/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel side hands to the user side: the keys and values of the fold maps, and the
 * counters of what was lost. Fixed-width fields, sizes and offsets asserted, no padding unnamed.
 */
#ifndef SCALER_RECORD_H
#define SCALER_RECORD_H

#include <linux/types.h>

#include <scaler/call.h>
#include <scaler/call_window.h>
#include <scaler/histogram.h>
#include <scaler/stack.h>

/*
 * One row of the fold of calls. task is the serial number that the kernel side gave to the
 * thread when it began to trace it; unlike a TID it is never reused within one recording, and only
 * that thread writes the row, so that updates need no atomic operation.
 */
struct scaler_call_key {
	__u64 site; /* of the instruction that issued the call: component.h */
	__u32 task;
	struct scaler_call_id id;
	__u32 stack;   /* the number of the stack that it was issued with; SCALER_STACK_NONE: not known */
	__u32 context; /* of the library call that it is, or was made in: library.h */
};
_Static_assert(sizeof(struct scaler_call_key) == 24, "hashed as a whole: no padding");

/* Calls cut short in our view: entered before the recording began, or not returned when it or the
 * thread ended. Their times are lower bounds. */
struct scaler_partial_calls {
	__u64 count;
	__u64 total_ns;
	__u64 runnable_ns;
	__u64 blocked_ns;
};

/* A span of a thread's time, or the sum of some; the last two are of total_ns. */
struct scaler_times {
	__u64 total_ns;
	__u64 runnable_ns;
	__u64 blocked_ns;
};

/*
 * What came of windows that each stand for more than themselves: multiplied by their weights (call_window.h). Of system
 * calls those whose thread was never off its CPU in them, because the others are known by the switches.
 */
struct scaler_sampled_calls {
	__u64 count;
	__u64 running_ns; /* of library calls: their total time */
};

/*
 * Calls that were entered and returned within the recording, and, apart, the partial ones. What is sampled is neither in
 * count nor in total_ns, but in errors and buckets, by its weight; of library calls in inner, runnable_ns and blocked_ns, too.
 * The time off a CPU in system calls is never sampled, and sleeps whose beginning was missed are in buckets, too.
 */
struct scaler_call_stats {
	__u64 count;
	__u64 errors;              /* of count: returned -4095 to -1; of library calls none are known */
	__u64 untimed;             /* library calls, not of count, that were seen only as they began */
	struct scaler_times inner; /* of library calls: what of the times below was in calls that they made */
	__u64 total_ns;
	__u64 runnable_ns; /* of total_ns, as is the next */
	__u64 blocked_ns;
	__u64 max_ns;
	__u64 max_start_ns; /* when the longest call was entered, CLOCK_MONOTONIC */
	struct scaler_partial_calls partial;
	__u64 parts; /* how often a part of a call was added whose beginning was missed; not of count */
	__u64 unseen_sleeps; /* of parts: how often a thread was off its CPU in such a call */
	__u64 slept;         /* of count: calls in which it was, and the next is how often in these */
	__u64 sleeps;
	__u64 sampled_untimed; /* of sampled: library calls that were seen only as they began */
	struct scaler_sampled_calls sampled[SCALER_WINDOW_GROUPS];
	__u32 buckets[SCALER_BUCKETS]; /* of total times; each stays at its largest value */
};
_Static_assert(sizeof(struct scaler_call_stats) == 160 + 16 * SCALER_WINDOW_GROUPS + 4 * SCALER_BUCKETS,
	       "shared layout");

/* A row of the fold outside its map: reached by index, without hashing. */
struct scaler_call_row {
	struct scaler_call_key key; /* complete once key.task is not 0 */
	struct scaler_call_stats stats;
};
_Static_assert(sizeof(struct scaler_call_row) ==
		       sizeof(struct scaler_call_key) + sizeof(struct scaler_call_stats),
	       "no padding");
/* A power of two. Many kernels take no more than 4 MiB (KMALLOC_MAX_SIZE) as the value that these lie in. */
#define SCALER_NEAR_ROWS 2048

/* How often the calls of a row failed with one errno: the fold of errors. */
struct scaler_error_key {
	struct scaler_call_key call;
	__u32 code; /* the errno, above 0, or one of the kernel's own codes for restarted calls */
	__u32 zero;
};
_Static_assert(sizeof(struct scaler_error_key) == 32, "hashed as a whole: no padding");

/* The maps that hold rows of threads until these have ended and user space has taken them; indexes the counters of what they hold. */
enum scaler_rows {
	SCALER_ROWS_THREADS,
	SCALER_ROWS_CALLS, /* near ones not included */
	SCALER_ROWS_ERRORS,
	SCALER_ROWS_COUNT,
};

/* Why something was not recorded; indexes the loss counters. */
enum scaler_loss {
	SCALER_LOSS_TASK_STORAGE,    /* a thread could not be followed: no memory for its state */
	SCALER_LOSS_THREAD_MAP,      /* a thread's times are missing: the thread map is full */
	SCALER_LOSS_CALL_MAP,        /* a call was not recorded: the system-call map is full */
	SCALER_LOSS_ERROR_MAP,       /* an error has no errno: the error map is full */
	SCALER_LOSS_COMPONENT_MAP,   /* a call has no component: the component map is full */
	SCALER_LOSS_STACK_MAP,       /* a call has no stack: the map of stacks is full */
	SCALER_LOSS_STACK_EVENT,     /* a call has no stack, or a cut one: the ring buffer was full */
	SCALER_LOSS_SAMPLE,          /* a CPU sample: the ring buffer was full */
	SCALER_LOSS_LIBRARY_STORAGE, /* a library call was not counted: no memory for its thread's state */
	SCALER_LOSS_CONTEXT_MAP,     /* a library call was not counted: the context map is full */
	SCALER_LOSS_OTHER_STACK, /* a library call was not timed: it ran on a stack that is not its thread's own */
	SCALER_LOSS_CALL_DEPTH, /* a library call was not timed: too many others of its thread were under way */
	SCALER_LOSS_BLOCKING_STORAGE, /* a blocking interval: no memory for its thread's state */
	SCALER_LOSS_BLOCKING,         /* a blocking interval: the ring buffer was full */
	SCALER_LOSS_BLOCKING_KEPT,    /* a blocking interval: more came than are kept */
	SCALER_LOSS_SOCKET_MAP,       /* a wait's socket has no known ends: the socket map is full */
	SCALER_LOSS_PATH_MAP,         /* a wait's file has no known path: the path map is full */
	SCALER_LOSS_PROCESS_EVENT,    /* a process's new code was not probed: the ring buffer was full */
	SCALER_LOSS_THREADS_KEPT,     /* a thread's times are missing: more have ended than are kept */
	SCALER_LOSS_RUN,  /* a program's run: the kernel skips it where it would interrupt itself */
	SCALER_LOSS_FILE, /* a block of a recording file, which is damaged */
	SCALER_LOSS_COUNT,
	/* Counted in the same way, and no loss: blocking intervals that were shorter than --min-duration. */
	SCALER_FILTERED_BLOCKING = SCALER_LOSS_COUNT,
	SCALER_LOSS_COUNTERS,
};

#endif
