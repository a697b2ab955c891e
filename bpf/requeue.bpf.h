/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that were asleep on one futex when a call moved them to another, as condition variables of musl do, and those of
 * priority inheritance: to where and when, and by whom. A thread's own call does not tell; who wakes it says on what it was
 * last, and who moved waiters from one futex to another is remembered.
 */
#ifndef SCALER_REQUEUE_BPF_H
#define SCALER_REQUEUE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/blocking.h>
#include "hash_map.bpf.h"

struct requeue_key {
	u64 memory; /* struct mm_struct */
	u64 from;   /* an address, as is the next */
};

struct requeue {
	u64 to;
	u64 when_ns;
	struct scaler_waker requeuer;
};

/* The last from each futex. */
LRU_MAP(4096, struct requeue_key, struct requeue) requeues __weak SEC(".maps");

/* That a thread was moved from one futex to another in the interval that it is in. */
struct moved_wait {
	u64 when_ns; /* 0: it was not, or all of the interval is on the other */
	struct scaler_waker requeuer;
	struct scaler_resource resource; /* the other; kind SCALER_RESOURCE_NONE: it was not moved */
};

#endif
