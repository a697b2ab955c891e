/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads whose switch-in was missed: they are seen to run. */
#ifndef SCALER_THREAD_REPAIR_BPF_H
#define SCALER_THREAD_REPAIR_BPF_H

#include <vmlinux.h>
#include <scaler/thread_state.h>
#include "blocking_end.bpf.h"
#include "maps.bpf.h"

/* The current task, which makes a system call or exits. */
static __noinline void thread_repair(struct task_state *state, struct task_struct *task, u64 now_ns)
{
	u64 ran_ns = task->se.sum_exec_runtime - state->exec_runtime_ns;

	if (records_blocking)
		blocking_end(state, task, false, scaler_thread_clock(&state->thread, now_ns) - ran_ns, 0);
	scaler_thread_found_running(&state->thread, &window, now_ns, ran_ns);
}

#endif
