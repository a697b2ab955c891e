/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wait-for chains: what a wait, or a thread's time, was made of. From the end of a wait on, the time is followed
 * backwards in the thread that ended it, to the wait's beginning: it ran, or was able to run, or waited itself, which
 * is followed in the same way. The source is the critical path of "Wait Analysis of Distributed Systems Using Kernel
 * Tracing" (Giraldeau, Dagenais, IEEE TPDS 2016), with packets in flight kept apart.
 */
#ifndef SCALER_ANALYSIS_WAIT_CHAIN_H
#define SCALER_ANALYSIS_WAIT_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/wait_history.h"

/* What a thread was at, or a wait's end came from. */
enum chain_kind {
	CHAIN_WAIT,     /* blocked: what follows at the next depth explains all of it */
	CHAIN_CREATED,  /* the thread did not exist yet: so does what follows, by what its creator did */
	CHAIN_RUNNING,  /* until it blocked, or woke another */
	CHAIN_RUNNABLE, /* able to run, and waiting for a CPU */
	CHAIN_QUOTA,    /* able to run, and kept from it: its cgroup had used up its CPU quota */
	/* Root causes. */
	CHAIN_FLIGHT, /* a packet had been sent and not arrived */
	CHAIN_WORK,   /* work had been left to the kernel's threads, which are not traced, and was not done */
	CHAIN_UNTRACED,  /* what a task did that is not traced */
	CHAIN_TIMER,     /* one was to expire */
	CHAIN_DEVICE,    /* a device was to tell by its interrupt */
	CHAIN_NETWORK,   /* a packet was to come, nobody knows from whom */
	CHAIN_INTERRUPT, /* one was to come */
	CHAIN_UNSEEN,    /* what ended it was missed */
	CHAIN_NOTHING,   /* it has not ended */
	CHAIN_STOPPED,   /* it was held by a signal, by a debugger, by the freezer of its cgroup */
	CHAIN_TRACED,
	CHAIN_FROZEN,
	CHAIN_TRUNCATED, /* what happened earlier is not known, or the chain is too deep */
	CHAIN_KINDS,
};

/* "wait", "running", "timer". */
const char *chain_kind_name(enum chain_kind kind);

/* Whether what follows at the next depth explains it. */
static inline bool chain_kind_is_explained(enum chain_kind kind)
{
	return kind <= CHAIN_CREATED;
}

/* Whether it is a thread's own time, whatever the thread was at; else a root cause. */
static inline bool chain_kind_is_own(enum chain_kind kind)
{
	return kind <= CHAIN_QUOTA;
}

/* Whether the thread waited for a CPU. */
static inline bool chain_kind_is_delay(enum chain_kind kind)
{
	return kind == CHAIN_RUNNABLE || kind == CHAIN_QUOTA;
}

/* Whether what it says is about a thread that has a name. */
bool chain_kind_has_task(enum chain_kind kind);

/* A chain is followed no deeper. */
#define CHAIN_DEPTH_LIMIT 64

/* Never empty. */
struct chain_segment {
	uint64_t from_ns;
	uint64_t to_ns;
	/* Whose time it is: of a thread's own its serial number, of a root cause that of the thread that it kept. */
	uint32_t task;
	/*
	 * Of a wait the wait's; of a time able to run its own; of running what the thread was at when that ended; of a root
	 * cause what ended the wait.
	 */
	uint32_t shape;
	uint32_t depth;
	enum chain_kind kind;
};

struct chain_visitor {
	/* Returns 0, or what ends the walk. */
	int (*visit)(void *data, const struct chain_segment *segment);
	void *data;
	/*
	 * The thread's time has been visited back to the beginning of its item of that index, and is followed at that
	 * depth, not before that time. Returns how many of the items before, none of which begins before that time,
	 * the visitor has dealt with itself, or below 0 what ends the walk. NULL: all are visited.
	 */
	int (*skip)(void *data, uint32_t task, size_t index, uint64_t from_ns, uint32_t depth);
};

/*
 * Visits what explains the wait between these times, which lie within its blocked part: latest first, each wait before
 * what explains it, at depths from the given one on. The segments of the least depth add up to the time between, as
 * those that follow a wait do to the wait. Returns 0 or what a visit did.
 */
int wait_chain_explain(const struct wait_history *history, uint32_t task, const struct off_cpu *wait,
		       uint64_t from_ns, uint64_t to_ns, uint32_t depth, const struct chain_visitor *visitor);

/*
 * The same of a thread's own time, which begins with that until_shape stands for (WAIT_SHAPE_NONE: not known): it ran
 * up to that. The history must have the thread then.
 */
int wait_chain_follow(const struct wait_history *history, uint32_t task, uint32_t until_shape,
		      uint64_t from_ns, uint64_t to_ns, uint32_t depth, const struct chain_visitor *visitor);

#endif
