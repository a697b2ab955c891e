// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fold of system calls: counted in the kernel per thread and call number.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <asm/unistd.h>
#include "maps.bpf.h"
#include "compat.bpf.h"

/* The thread's life within the recording begins now, with it on a CPU. */
static void thread_begin(struct task_state *state)
{
	struct scaler_thread fresh = { .serial = state->thread.serial, .state = SCALER_RUNNING };

	fresh.start_ns = fresh.since_ns = bpf_ktime_get_ns();
	state->thread = fresh;
	state->waits_for_exec = false;
}

/* True if the state's thread counts; its first execve ends the wait of a command just forked. */
static __always_inline bool task_counts(struct task_state *state, long number)
{
	if (!state->waits_for_exec)
		return true;
	if (number != __NR_execve)
		return false;
	thread_begin(state);
	return true;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(scaler_sys_enter, struct pt_regs *regs, long number)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct scaler_call_key key = {};
	struct scaler_call_stats *stats, first = { .count = 1 };
	struct task_state *state;

	if (!recording)
		return 0;
	state = bpf_task_storage_get(&task_states, task, 0, 0);
	if (!state || !task_counts(state, number))
		return 0;

	key.task = state->thread.serial;
	key.number = number;
	key.abi = task_call_abi(task);
	stats = bpf_map_lookup_elem(&call_fold, &key);
	if (stats)
		stats->count++;
	else if (bpf_map_update_elem(&call_fold, &key, &first, BPF_NOEXIST))
		loss_count(SCALER_LOSS_CALL_MAP);
	return 0;
}
