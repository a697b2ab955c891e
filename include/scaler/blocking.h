/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocking intervals: from the moment at which a thread is switched out in a sleeping state, by way of its wakeup, to
 * the one at which it is switched in again. The kernel side tells each as one record, at its end.
 */
#ifndef SCALER_BLOCKING_H
#define SCALER_BLOCKING_H

#include <linux/types.h>

#include <scaler/block_request.h>
#include <scaler/call.h>
#include <scaler/event.h>
#include <scaler/resource.h>
#include <scaler/thread.h>

/* What the CPU was at that the wakeup came from. */
enum scaler_waker_context {
	SCALER_WAKER_UNSEEN,  /* the wakeup was missed, or has not come */
	SCALER_WAKER_UNKNOWN, /* this kernel does not tell, and neither do its tracepoints */
	SCALER_WAKER_TASK,    /* the task that ran there, of its own accord */
	SCALER_WAKER_SOFTIRQ, /* serving a soft interrupt, perhaps at the end of the task's own system call */
	SCALER_WAKER_HARDIRQ,
	SCALER_WAKER_NMI,
	SCALER_WAKER_WORKQUEUE, /* one of the kernel's threads, at work that others have queued */
	SCALER_WAKER_CONTEXTS,
};

#define SCALER_VECTOR_NONE 0xffff

/* As the tracer sees a thread at some moment. */
struct scaler_task_names {
	__u32 tgid; /* 0: it does not see it, or it is the idle task; as is the next */
	__u32 tid;
	char comm[SCALER_COMM_SIZE]; /* not trusted, perhaps without a final NUL */
};

/*
 * Where a wakeup came from, and from whom: the task that ran there of its own accord; in an interrupt that has delivered a
 * packet the one on this host that had sent it; of work from a queue what queued it, be it an interrupt. Whom another
 * interrupt has interrupted is not told.
 */
struct scaler_waker {
	__u8 context;  /* enum scaler_waker_context */
	__u8 is_timer; /* not 0: a timer had expired */
	__u16 vector; /* of the soft interrupt, or the number of the device's; SCALER_VECTOR_NONE: neither is known */
	__u8 signal;     /* the number of the one that has ended the wait; 0: none has */
	__u8 is_in_call; /* not 0: the task was in the system call that call names */
	__u16 queued_in; /* of work, what queued it: as context, and is_timer and vector are of that */
	struct scaler_call_id call;
	__u32 worker;  /* of work, the serial number of the thread that did it, 0: it is not traced */
	__u64 sent_ns; /* when the packet was, or the work queued; 0: by none, or no task */
	struct scaler_sample where; /* of the task, with its stack; its serial number, 0: it is not traced */
	struct scaler_task_names names;
};

/* Bits of scaler_blocking_interval.flags. */
#define SCALER_BLOCKING_FOUND   1 /* the thread was found asleep: it had begun before */
#define SCALER_BLOCKING_IN_CALL 2 /* in the system call that call names */
/* It was not blocked, but waited for a CPU from start_ns on: put off the one that it had, or created by the waker. */
#define SCALER_BLOCKING_PUT_OFF 4
#define SCALER_BLOCKING_CREATED 8
#define SCALER_BLOCKING_NOT     (SCALER_BLOCKING_PUT_OFF | SCALER_BLOCKING_CREATED)

/* Times are CLOCK_MONOTONIC. */
struct scaler_blocking_interval {
	struct scaler_sample where; /* the thread, its stack in user space, the function in the kernel */
	__u64 start_ns;
	__u64 woken_ns; /* not before start_ns; 0: the wakeup was missed, or has not come */
	__u64 end_ns;   /* 0: it has not been switched in before the recording ended */
	__u32 state;    /* the scheduler's bits: which kind of sleep */
	__u32 flags;
	struct scaler_waker waker;
	__u32 cpu;                      /* on which it ran last */
	struct scaler_task_names names; /* the thread's, when it was switched out */
	struct scaler_call_id
		call; /* that was asked for: one that a stop or a signal has interrupted goes on */
	struct scaler_resource resource;
	__u32 number;  /* of those of the thread, from 1 on: one that is missing has been lost */
	__u32 request; /* not 0: it waited for a request to a block device, which the event has */
	/* Who of the others had the CPU for the longest at a stretch from woken_ns on; zeros: nobody, or not known. */
	char cpu_holder[SCALER_COMM_SIZE];
	/* For how long of the time from woken_ns on its cgroup had used up its CPU quota; at least. */
	__u64 quota_ns;
};
_Static_assert(sizeof(struct scaler_blocking_interval) == 256, "shared layout");

struct scaler_blocking_event {
	__u32 kind; /* SCALER_EVENT_BLOCKING */
	__u32 zero;
	struct scaler_blocking_interval interval;
	struct scaler_block_request request; /* only if interval.request says so */
};

#endif
