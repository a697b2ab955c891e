/* SPDX-License-Identifier: GPL-2.0-only */
/* What is kept of each thread for blocking intervals: the one that it is in, and who woke it. */
#ifndef SCALER_BLOCKING_STATE_BPF_H
#define SCALER_BLOCKING_STATE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/blocking.h>
#include "polled.bpf.h"
#include "requeue.bpf.h"
#include "task_data.bpf.h"
#include "waker.bpf.h"

/* What could be told only later of a thread that was found asleep. */
struct placed_interval {
	u64 start_ns; /* of the interval; 0: none */
	u64 site;
	u32 stack;
	struct scaler_resource resource;
};

/* Of one thread. */
struct blocking_state {
	struct scaler_blocking_event event; /* interval.start_ns tells which interval it is of */
	struct scaler_waker waker;          /* of the last wakeup since the thread was switched in */
	u64 epoll;                          /* the set that it waits on: epoll_find(); 0: none */
	u64 ring;                           /* or the io_uring: ring_find() */
	struct polled polled;               /* or the descriptors, if there are several */
	struct placed_interval placed;
	struct moved_wait moved; /* that it was moved from one futex to another */
	u32 told;                /* how many intervals were reported */
	u32 exited;              /* the thread's serial number once it exits, which others may wait for */
	u8 held; /* of the kinds of resources that which holds it: held.bpf.h; SCALER_RESOURCE_NONE: nothing does */
	bool was_in_call; /* call and resource are those of the last interval */
};

TASK_DATA(blocking_state, struct blocking_state)

/*
 * Made with the thread's state if it can be, else when it is asked for again: the kernel makes none while another is
 * being made or freed on the CPU, by a task that this one has preempted say. NULL: not this time either.
 */
static __always_inline struct blocking_state *blocking_state_get(struct task_struct *task)
{
	return blocking_state_make(task);
}

/* Of the current task, whose state is gone, or has never been. */
static __always_inline u32 blocking_exited(void)
{
	const struct blocking_state *blocking = blocking_state_find(bpf_get_current_task_btf());

	return blocking ? blocking->exited : 0;
}

#endif
