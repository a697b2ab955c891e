/* SPDX-License-Identifier: GPL-2.0-only */
/* What is kept of a thread: its state, the time in each, its switches and delays, the system call that it is in. */
#ifndef SCALER_THREAD_H
#define SCALER_THREAD_H

#include <linux/types.h>

#include <scaler/call.h>

enum scaler_state {
	SCALER_RUNNING,  /* on a CPU */
	SCALER_RUNNABLE, /* able to run and waiting for a CPU */
	SCALER_BLOCKED,  /* switched out in a sleeping state and not yet woken */
	SCALER_STATE_COUNT,
};

/* The recording's beginning and end; time outside is not accounted. CLOCK_MONOTONIC. */
struct scaler_window {
	__u64 start_ns;
	__u64 end_ns;
	__u32 reading; /* how often it has been read: what happens now is for the reading after that */
	__u32 zero;
};

/* A time within the recording. */
struct scaler_span {
	__u64 start_ns;
	__u64 duration_ns;
};

#define SCALER_COMM_SIZE 16

/* What of a call is known of which the beginning was missed; it counts from enter_ns on. */
enum scaler_call_part {
	SCALER_CALL_WHOLE,     /* it was */
	SCALER_CALL_LEFT_OVER, /* its end, and what was on a CPU since the window was opened */
	SCALER_CALL_SLEEP,     /* that its thread was off its CPU in it */
};

/* The system call that a thread is in. */
struct scaler_open_call {
	__u64 enter_ns;    /* 0: it is in none, or in one whose beginning was missed */
	__u64 site;        /* where it was issued: component.h */
	__u64 runnable_ns; /* the thread's time in these states when it entered */
	__u64 blocked_ns;
	struct scaler_call_id id;
	__u32 row;      /* the kernel side's own: which near row counts it */
	__u32 stack;    /* its number; SCALER_STACK_NONE: not known */
	__u32 context;  /* of the library call that it was made in: library.h */
	__u32 window;   /* the stamp of the one that it was entered in: call_window.h */
	__u32 part;     /* enum scaler_call_part */
	__u32 switches; /* how often its thread had been switched out when it entered */
	__u32 zero;
};

/* Bits of scaler_thread.flags. */
#define SCALER_THREAD_DISPATCHES 1 /* it has syscall user dispatch: calls are handed back to it unseen */
#define SCALER_THREAD_KERNEL     2 /* it is one of the kernel's own */

/* One thread. Times are CLOCK_MONOTONIC. */
struct scaler_thread {
	__u32 serial; /* given by the kernel side; never reused within one recording */
	__u32 tgid;
	__u32 tid;
	__u8 state; /* enum scaler_state, since since_ns */
	__u8 flags;
	__u16 cpus;                  /* how many it may run on; 0: not known */
	char comm[SCALER_COMM_SIZE]; /* the last one; not trusted, perhaps without a final NUL */
	__u64 start_ns;              /* when it was found or created */
	__u64 end_ns;                /* when it exited; 0: it has not */
	__u64 since_ns;
	__u64 woken_ns; /* the last wakeup since it was switched in; 0: none */
	__u64 time_ns[SCALER_STATE_COUNT];
	__u64 voluntary;      /* switches out that asked to sleep */
	__u64 involuntary;    /* all other switches out */
	__u64 calls;          /* system calls that are in the fold */
	__u32 repaired;       /* switches that were missed and were placed by the CPU time consumed */
	__u32 unseen_wakeups; /* sleeps whose wakeup was missed: runnable time counted as blocked */
	__u32 own_tid;        /* as the thread itself knows it, in its own PID namespace */
	__u32 delay_reading;  /* which reading the longest delay is for */
	/* A delay is a wait for a CPU: from a wakeup, or from being put off a CPU, to the switch-in. */
	__u64 delays;   /* that are over */
	__u64 quota_ns; /* of the runnable time, in which its cgroup had used up its CPU quota */
	struct scaler_span longest_delay;  /* of these, for that reading; duration_ns 0: none */
	struct scaler_span longest_before; /* the same for the reading before that one */
	/* The one that the end of the recording or of the thread has cut short, or a reading. */
	struct scaler_span open_delay;
	struct scaler_open_call call;
};
_Static_assert(sizeof(struct scaler_thread) == 256, "shared layout");

#endif
