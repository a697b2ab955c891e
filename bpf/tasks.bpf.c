// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which threads are traced: those found at the start (a task iterator over the target processes)
 * and the threads and children that they create from then on.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "maps.bpf.h"

char LICENSE[] SEC("license") = "GPL";

bool recording;
__u64 losses[SCALER_LOSS_COUNT];
__u32 last_serial;
/* Threads that the last run of the iterator found new: user space repeats it until there are none,
 * so that a thread created beside the iterator's position is not missed. */
__u32 tasks_found;

static struct task_state *task_state_create(struct task_struct *task, bool waits_for_exec)
{
	struct task_state *state;

	state = bpf_task_storage_get(&task_states, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!state) {
		loss_count(SCALER_LOSS_TASK_STORAGE);
		return NULL;
	}
	state->waits_for_exec = waits_for_exec;
	state->serial = __sync_fetch_and_add(&last_serial, 1) + 1;
	return state;
}

SEC("iter/task")
int scaler_find_targets(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	u32 tgid;
	u32 *waits_for_exec;

	if (!task)
		return 0;
	tgid = task->tgid;
	waits_for_exec = bpf_map_lookup_elem(&target_processes, &tgid);
	if (!waits_for_exec || bpf_task_storage_get(&task_states, task, 0, 0))
		return 0;
	if (task_state_create(task, *waits_for_exec))
		tasks_found++;
	return 0;
}

SEC("tp_btf/task_newtask")
int BPF_PROG(scaler_task_new, struct task_struct *child, u64 clone_flags)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct task_state *state = bpf_task_storage_get(&task_states, parent, 0, 0);

	if (state && !bpf_task_storage_get(&task_states, child, 0, 0))
		task_state_create(child, state->waits_for_exec);
	return 0;
}

/* Deleted here and not with the task, or an iterator would still list a zombie as traced. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(scaler_task_exit, struct task_struct *task)
{
	bpf_task_storage_delete(&task_states, task);
	return 0;
}
