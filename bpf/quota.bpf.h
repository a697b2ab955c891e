/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU quota of cgroups (cpu.max): how long threads that are able to run are kept from it because their cgroup, or one
 * above it, has used up its quota. The kernel counts that for each queue, one for each CPU and cgroup
 * (kernel/sched/fair.c: tg_throttle_down(), tg_unthrottle_up()); what the counter has gained from the moment that a
 * thread became able to run up to its switch-in is the thread's. One that went to another CPU in between has it from
 * neither, so that the sum is a lower bound.
 */
#ifndef SCALER_QUOTA_BPF_H
#define SCALER_QUOTA_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "maps.bpf.h"

/* With the throttling that is under way, if one is. */
static __always_inline u64 quota_sum(u64 ended_ns, u64 start_ns, u64 clock_ns)
{
	return ended_ns + (start_ns && clock_ns > start_ns ? clock_ns - start_ns : 0);
}

static __noinline u64 quota_read(struct cfs_rq *queue)
{
	struct cfs_rq___before_6_6 *pelt = (void *)queue;
	struct cfs_rq___before_5_19 *task = (void *)queue;
	u64 start_ns;

	if (bpf_core_field_exists(queue->throttled_clock_self_time)) {
		start_ns = BPF_CORE_READ(queue, throttled_clock_self);
		return quota_sum(BPF_CORE_READ(queue, throttled_clock_self_time), start_ns,
				 start_ns ? BPF_CORE_READ(queue, rq, clock) : 0);
	}
	if (bpf_core_field_exists(pelt->throttled_clock_pelt_time)) {
		start_ns =
			BPF_CORE_READ(pelt, throttle_count) ? BPF_CORE_READ(pelt, throttled_clock_pelt) : 0;
		return quota_sum(BPF_CORE_READ(pelt, throttled_clock_pelt_time), start_ns,
				 start_ns ? BPF_CORE_READ(queue, rq, clock_pelt) : 0);
	}
	if (bpf_core_field_exists(task->throttled_clock_task_time)) {
		start_ns =
			BPF_CORE_READ(task, throttle_count) ? BPF_CORE_READ(task, throttled_clock_task) : 0;
		return quota_sum(BPF_CORE_READ(task, throttled_clock_task_time), start_ns,
				 start_ns ? BPF_CORE_READ(queue, rq, clock_task) : 0);
	}
	return 0;
}

/* The queue that a task is on, or will be if it stays on its CPU; NULL: this kernel has none of cgroups. */
static __always_inline struct cfs_rq *quota_queue(struct task_struct *task)
{
	return bpf_core_field_exists(task->se.cfs_rq) ? BPF_CORE_READ(task, se.cfs_rq) : NULL;
}

/* The task has become able to run and does not. */
static __always_inline void quota_begin(struct task_state *state, struct task_struct *task)
{
	struct cfs_rq *queue = quota_queue(task);

	state->quota_queue = (u64)queue;
	if (queue)
		state->quota_kept_ns = quota_read(queue);
}

/* It is switched in. Returns for how long it was kept from that. */
static __always_inline u64 quota_end(struct task_state *state, struct task_struct *task)
{
	struct cfs_rq *queue = quota_queue(task);
	u64 kept_ns;

	if (!queue || state->quota_queue != (u64)queue)
		return 0;
	state->quota_queue = 0;
	kept_ns = quota_read(queue);
	return kept_ns > state->quota_kept_ns ? kept_ns - state->quota_kept_ns : 0;
}

#endif
