/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wait-for graph as it is kept: for each thread the times that it was off its CPU, in their order, each with the
 * thread or other cause that ended it. Between two of them the thread ran.
 */
#ifndef SCALER_ANALYSIS_WAIT_HISTORY_H
#define SCALER_ANALYSIS_WAIT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/wait_shape.h"

/* What ended a wait. */
enum wait_cause {
	WAIT_CAUSE_TASK,      /* one that is traced, be it by a packet that it had sent */
	WAIT_CAUSE_UNTRACED,  /* a task that is not */
	WAIT_CAUSE_TIMER,     /* one that had expired */
	WAIT_CAUSE_DEVICE,    /* its interrupt, or that a request to it was done */
	WAIT_CAUSE_NETWORK,   /* a packet, of which the sender is not known: a remote host, mostly */
	WAIT_CAUSE_INTERRUPT, /* any other */
	WAIT_CAUSE_UNSEEN,    /* that was not seen */
	WAIT_CAUSE_NOTHING,   /* it has not ended */
	/* The thread waited for nothing, but was held: by a signal that stopped its process, a debugger, its cgroup's freezer. */
	WAIT_CAUSE_STOPPED,
	WAIT_CAUSE_TRACED,
	WAIT_CAUSE_FROZEN,
	WAIT_CAUSES,
};

/* How far the explanation of a wait has come. */
enum wait_stage {
	WAIT_STAGE_NEW,
	WAIT_STAGE_PENDING,
	WAIT_STAGE_UNWANTED, /* pending, to be left out */
	WAIT_STAGE_DONE,
};

/* Of a thread. Times are CLOCK_MONOTONIC. */
struct off_cpu {
	uint64_t start_ns; /* blocked from here on */
	uint64_t woken_ns; /* and from here on able to run; it never was blocked if this is start_ns */
	uint64_t
		quota_ns; /* for so long of that, from its beginning on, its cgroup had used up its CPU quota */
	uint64_t end_ns;  /* UINT64_MAX, as is woken_ns: it has not come yet */
	uint64_t sent_ns; /* when the packet was by which it was woken, or the work queued; 0: by none */
	uint32_t waker;   /* its serial number, of WAIT_CAUSE_TASK */
	uint32_t shape;   /* of the wait, a number among the shapes */
	uint32_t waker_shape;
	uint32_t delay_shape;
	uint32_t number; /* of those of the thread: one that is missing was not recorded; 0: not known */
	uint8_t cause;   /* enum wait_cause */
	bool was_found;  /* it had begun before start_ns */
	bool is_created; /* the thread did not exist before: the waker created it */
	uint8_t stage;   /* enum wait_stage */
};

struct history_thread {
	uint32_t task;         /* its serial number */
	uint32_t shape;        /* that has its name and no more; WAIT_SHAPE_NONE: its name is not known */
	struct off_cpu *items; /* owned; in the order of start_ns, no two with the same */
	size_t count;
	size_t capacity;
	uint64_t known_since_ns; /* 0: nothing is known of it before the first of the items */
	uint32_t
		forgotten; /* the number of the last that was there before the items; 0: not known, or none */
	uint32_t revision; /* another one whenever the items change, but for those that come last */
};

/* All zero at first, but for the sockets and the clock. */
struct wait_history {
	struct sockets *sockets; /* not owned, those that were waited on; NULL: none are known */
	int64_t wall_clock_ns;   /* CLOCK_REALTIME less CLOCK_MONOTONIC */
	struct distinct shapes;  /* wait_shape.h */
	struct distinct threads; /* struct history_thread: those that something is known of */
	size_t item_count;       /* of all threads */
};

/*
 * From then on all the times that the thread is off its CPU are added. That it is told again changes its name and no
 * more. Returns 0 or -ENOMEM.
 */
int wait_history_add_thread(struct wait_history *history, uint32_t task, const char comm[SCALER_COMM_SIZE],
			    uint64_t known_since_ns);

/*
 * Takes what it says, with the request to a block device that it waited for (NULL: none), in any order. Of two with the same beginning one that has ended replaces one that has not.
 * Returns what is there then, valid until the next call, or NULL: there is no memory.
 */
struct off_cpu *wait_history_add(struct wait_history *history,
				 const struct scaler_blocking_interval *interval,
				 const struct scaler_block_request *request);

/*
 * Forgets, of each thread, the times that ended before, unless they are few beside those that it keeps: no more than as
 * many stay. The thread is then known since they ended.
 */
void wait_history_forget(struct wait_history *history, uint64_t before_ns);

/* Forgets those that have not ended. */
void wait_history_forget_open(struct wait_history *history);

/* When the earliest of all ended; UINT64_MAX: none has. */
uint64_t wait_history_oldest(const struct wait_history *history);

/* Whether the item of that index is known to be the next one of the thread after the one before it. */
bool history_thread_is_whole(const struct history_thread *thread, size_t index);

/* The shape that has the thread's name and no more; WAIT_SHAPE_NONE: its name is not known. */
uint32_t wait_history_name(const struct wait_history *history, uint32_t task);

/* NULL: nothing is known of it. Valid until something is added, as is the next. */
const struct history_thread *wait_history_find(const struct wait_history *history, uint32_t task);

/* Its time off its CPU that begins then, or NULL. */
struct off_cpu *wait_history_get(const struct wait_history *history, uint32_t task, uint64_t start_ns);

void wait_history_clear(struct wait_history *history);

#endif
