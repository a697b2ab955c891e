/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a task is what the user asked for: by its process's or its own number, its cgroup, its name.
 */
#ifndef SCALER_TARGET_BPF_H
#define SCALER_TARGET_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "component.bpf.h"
#include "maps.bpf.h"
#include "numbers.bpf.h"

#define CGROUP_DEPTH 64 /* deeper cgroups are not found to lie below the target */

/* The current task is the tracer. */
static void tracer_learn(void)
{
	struct task_struct *tracer = bpf_get_current_task_btf();
	struct pid *pid = BPF_CORE_READ(tracer, thread_pid);
	struct pid_entry entry = {};

	tracer_level = BPF_CORE_READ(pid, level);
	tracer_root = (u64)BPF_CORE_READ(tracer, fs, root.dentry);
	tracer_root_mount =
		(u64)BPF_CORE_READ(tracer, fs, root.mnt) - bpf_core_field_offset(struct mount, mnt);
	pid_entry_read(&entry, pid, tracer_level);
	tracer_namespace = entry.namespace;
	tracer_process = tracer->tgid;
}

static bool cgroup_includes(struct task_struct *task)
{
	struct cgroup *cgroup = BPF_CORE_READ(task, cgroups, dfl_cgrp);

	for (int i = 0; i < CGROUP_DEPTH && cgroup; i++) {
		if (BPF_CORE_READ(cgroup, kn, id) == target.cgroup)
			return true;
		cgroup = BPF_CORE_READ(cgroup, self.parent, cgroup);
	}
	return false;
}

/* By its name alone; NULL stands for the name that its process has. */
static bool target_has_name(struct task_struct *task, const char *name)
{
	char comm[SCALER_TARGET_COMM_SIZE] = {};

	if (!target.comm[0])
		return true;
	if (!name)
		name = BPF_CORE_READ(task, group_leader)->comm;
	bpf_probe_read_kernel_str(comm, sizeof(comm), name);
	for (int i = 0; i < SCALER_TARGET_COMM_SIZE; i++) {
		if (comm[i] != target.comm[i])
			return false;
		if (!comm[i])
			break;
	}
	return true;
}

/* What reads files for the tracer; a command is asked for by number. */
static bool is_tracers_child(struct task_struct *task)
{
	return BPF_CORE_READ(task, group_leader, real_parent, tgid) == tracer_process;
}

/* By all else. begin: when it is to count, for those that are asked for by number. */
static bool target_includes(struct task_struct *task, enum scaler_target_begin *begin)
{
	u32 number = process_number(task), *asked;

	*begin = SCALER_BEGIN_AT_ONCE;
	if (task->tgid == tracer_process || !number)
		return false;
	switch (target.kind) {
	case SCALER_TARGET_SYSTEM:
		return !is_tracers_child(task);
	case SCALER_TARGET_CGROUP:
		return !is_tracers_child(task) && cgroup_includes(task);
	case SCALER_TARGET_THREADS:
		number = task_number(task);
	}
	asked = bpf_map_lookup_elem(&target_ids, &number);
	if (asked)
		*begin = *asked;
	return asked;
}

/* Whether a task that was not there, or elsewhere, when the recording began may be a target itself. */
static bool target_takes_newcomers(void)
{
	return target.follow == SCALER_FOLLOW_CHILDREN &&
	       (target.kind == SCALER_TARGET_SYSTEM || target.kind == SCALER_TARGET_CGROUP);
}

#endif
