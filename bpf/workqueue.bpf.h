/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work that is left to the kernel's workqueues: by whom each piece was queued, while it waits for one of the kernel's
 * threads and while that does it. Whom this wakes then has waited for the one that queued it.
 */
#ifndef SCALER_WORKQUEUE_BPF_H
#define SCALER_WORKQUEUE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/block_request.h>
#include <scaler/blocking.h>
#include "hash_map.bpf.h"

#define TASK_DOES_WORK 0x20 /* include/linux/sched.h: PF_WQ_WORKER */

struct queued_work {
	struct scaler_waker queuer; /* sent_ns tells when, if it was a task; where.kernel what is done */
	struct scaler_block_request request; /* that was completed just before; completed_ns 0: none */
};

/* By the address of its struct work_struct. */
LRU_MAP(4096, u64, struct queued_work) works_queued __weak SEC(".maps");

/* By the thread that does it. */
LRU_MAP(2048, u32, struct queued_work) works_done __weak SEC(".maps");

/* What the current task does of it; NULL: nothing, or it is not known by whom it was queued. */
static __always_inline const struct queued_work *work_find(struct task_struct *current)
{
	u32 pid = current->pid;

	return current->flags & TASK_DOES_WORK ? bpf_map_lookup_elem(&works_done, &pid) : NULL;
}

#endif
