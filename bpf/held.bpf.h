/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that sleep because others hold them: a signal that stops, a debugger, a frozen cgroup. */
#ifndef SCALER_HELD_BPF_H
#define SCALER_HELD_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/resource.h>
#include "sleep_state.bpf.h"

#define JOBCTL_TRAP_FREEZE (1UL << 23) /* include/linux/sched/jobctl.h */

/* By the freezer of cgroup v2: the task then sleeps as any other, in a trap for signals. */
static __always_inline bool task_is_trapped(struct task_struct *task)
{
	return bpf_core_field_exists(task->frozen) && task->jobctl & JOBCTL_TRAP_FREEZE &&
	       BPF_CORE_READ_BITFIELD(task, frozen);
}

/* Of the kinds of resources: what holds a task that sleeps in such a state. */
static __always_inline u8 task_held(struct task_struct *task, u32 sleep_state)
{
	if (sleep_state & STATE_TRACED)
		return SCALER_RESOURCE_TRACED;
	if (sleep_state & STATE_STOPPED)
		return SCALER_RESOURCE_STOPPED;
	if (sleep_state & STATE_FROZEN || task_is_trapped(task))
		return SCALER_RESOURCE_FROZEN;
	return SCALER_RESOURCE_NONE;
}

#endif
