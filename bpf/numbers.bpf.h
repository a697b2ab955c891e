/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of processes and threads as the tracer sees them, in its own PID namespace. */
#ifndef SCALER_NUMBERS_BPF_H
#define SCALER_NUMBERS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* The tracer: its process, and the PID namespace in which it shows and takes numbers. */
__s32 tracer_process __weak;
__u32 tracer_level __weak;
__u64 tracer_namespace __weak;

/* A struct upid as it lies in memory: read as a whole, it is no kernel object to be relocated. */
struct pid_entry {
	u32 number;
	u32 zero;
	u64 namespace;
};

static __always_inline void pid_entry_read(struct pid_entry *entry, struct pid *pid, u32 level)
{
	bpf_probe_read_kernel(entry, sizeof(*entry),
			      (void *)pid + bpf_core_field_offset(pid->numbers) + level * sizeof(*entry));
}

/* The number as the tracer sees it; 0: it does not. */
static u32 pid_number(struct pid *pid)
{
	struct pid_entry entry = {};

	if (!pid || BPF_CORE_READ(pid, level) < tracer_level)
		return 0;
	pid_entry_read(&entry, pid, tracer_level);
	return entry.namespace == tracer_namespace ? entry.number : 0;
}

static __always_inline u32 task_number(struct task_struct *task)
{
	return tracer_level ? pid_number(BPF_CORE_READ(task, thread_pid)) : task->pid;
}

static __always_inline u32 process_number(struct task_struct *task)
{
	return tracer_level ? pid_number(BPF_CORE_READ(task, group_leader, thread_pid)) :
			      BPF_CORE_READ(task, tgid);
}

/* A task's number as the task itself sees it. */
static __always_inline u32 task_own_number(struct task_struct *task)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	struct pid_entry entry = {};

	if (pid)
		pid_entry_read(&entry, pid, BPF_CORE_READ(pid, level));
	return entry.number;
}

#endif
