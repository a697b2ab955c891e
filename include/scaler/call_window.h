/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When system calls are recorded: all the time as long as that costs no more than it may, which is one window without an
 * end, and beyond that in windows at random times. A call counts for as many as the weight of the window that it was
 * entered in, and so does the time on a CPU that it spends in windows. The time off a CPU is the switches', which are
 * always followed: it is complete.
 */
#ifndef SCALER_CALL_WINDOW_H
#define SCALER_CALL_WINDOW_H

#include <scaler/thread.h>
#include <scaler/thread_state.h>

/* Windows belong to groups in turn: how the groups' sums differ tells how sure their total is. A power of two. */
#define SCALER_WINDOW_GROUPS 8
/* Of a window; its number is in the upper bits. */
#define SCALER_WINDOW_WEIGHT_BITS 8

/* Written by user space, whole words at a time. Times are CLOCK_MONOTONIC. */
struct scaler_call_window {
	__u32 stamp; /* of the latest window: its number, from 0, and its weight, from 1 */
	__u32 is_open; /* calls that are entered now are recorded; what is open is seen to end for a moment longer */
	__u32 is_counting; /* they are only counted, which slows down nobody by much: before it is open */
	__u32 zero;
	__u64 opened_ns;
	__u64 closed_ns[SCALER_WINDOW_GROUPS]; /* of each group's latest; ~0: it is open, or there was none */
};

/*
 * What user space knows of the windows that stand for more than themselves. Recording slows calls down, so that a window
 * has fewer of them than as much time has without; before each calls are counted only. Of groups all is multiplied by the
 * windows' weights. Library calls are not counted besides: counted_ns and counting_ns are the windows' own then, as they
 * were. Times are those that the traced threads ran, without what the tracer took of them.
 */
struct scaler_window_sums {
	__u64 counted_calls;
	__u64 counted_ns;  /* for how long they were */
	__u64 counting_ns; /* and what that took, which is not in it */
	__u64 recorded_ns; /* for how long calls were recorded */
};

struct scaler_sampling {
	__u64 unseen_ns;   /* while calls were neither counted nor recorded */
	__u64 known_calls; /* that were */
	__u64 windows;
	struct scaler_window_sums groups[SCALER_WINDOW_GROUPS];
};

SCALER_INLINE __u32 scaler_window_stamp(__u32 number, __u32 weight)
{
	return number << SCALER_WINDOW_WEIGHT_BITS | weight;
}

SCALER_INLINE __u32 scaler_window_weight(__u32 stamp)
{
	return stamp & ((1U << SCALER_WINDOW_WEIGHT_BITS) - 1);
}

SCALER_INLINE __u32 scaler_window_number(__u32 stamp)
{
	return stamp >> SCALER_WINDOW_WEIGHT_BITS;
}

SCALER_INLINE __u32 scaler_window_group(__u32 stamp)
{
	return scaler_window_number(stamp) & (SCALER_WINDOW_GROUPS - 1);
}

/* Whether calls may have begun and ended unseen. */
SCALER_INLINE int scaler_calls_are_sampled(const struct scaler_call_window *window)
{
	return !window->is_open || scaler_window_number(window->stamp) != 0;
}

/* A call that was entered in an earlier window, and that its thread may have left since. */
SCALER_INLINE int scaler_call_is_stale(const struct scaler_open_call *call,
				       const struct scaler_call_window *window)
{
	return call->enter_ns && call->part == SCALER_CALL_WHOLE &&
	       (!window->is_open || call->window != window->stamp);
}

/*
 * Up to when such a call is known to have gone on, if nothing was seen of it since; on_cpu_ns: since when its thread is on
 * its CPU, in this call if that began before.
 */
SCALER_INLINE __u64 scaler_call_seen_ns(const struct scaler_open_call *call,
					const struct scaler_call_window *window, __u64 on_cpu_ns,
					__u64 now_ns)
{
	__u64 seen_ns = window->closed_ns[scaler_window_group(call->window)];

	if (scaler_window_number(window->stamp) - scaler_window_number(call->window) >= SCALER_WINDOW_GROUPS)
		seen_ns = 0;
	if (seen_ns < on_cpu_ns)
		seen_ns = on_cpu_ns;
	if (seen_ns < call->enter_ns)
		seen_ns = call->enter_ns;
	return seen_ns < now_ns ? seen_ns : now_ns;
}

/*
 * What of a call that lasted for so long and ran for so much of it, up to now, was on a CPU while its window was open;
 * on_cpu_ns: since when the thread is on its CPU.
 */
SCALER_INLINE __u64 scaler_call_running_in_window(const struct scaler_open_call *call,
						  const struct scaler_call_window *window, __u64 running_ns,
						  __u64 on_cpu_ns, __u64 now_ns)
{
	__u64 closed_ns = window->closed_ns[scaler_window_group(call->window)], after_ns;

	if (closed_ns < on_cpu_ns)
		closed_ns = on_cpu_ns;
	after_ns = closed_ns < now_ns ? now_ns - closed_ns : 0;
	return after_ns < running_ns ? running_ns - after_ns : 0;
}

#endif
