// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running, runnable, blocked: the scheduler's switches and wakeups of traced threads.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "maps.bpf.h"
#include "compat.bpf.h"

static __always_inline void read_facts(struct task_state *state, struct task_struct *task,
				       struct scaler_switch_facts *facts)
{
	facts->ran_ns = task->se.sum_exec_runtime - state->exec_runtime_ns;
	facts->slept = task->nvcsw != state->voluntary;
	state->exec_runtime_ns = task->se.sum_exec_runtime;
	state->voluntary = task->nvcsw;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(scaler_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct scaler_switch_facts facts;
	struct scaler_switch_kind kind;
	struct task_state *state;
	u64 now_ns = 0;

	/* PID 0 is the idle task. */
	state = prev->pid ? bpf_task_storage_get(&task_states, prev, 0, 0) : NULL;
	if (state && !state->dormant) {
		now_ns = bpf_ktime_get_ns();
		/* The scheduler's own rule, whatever the kind of sleep. */
		kind.voluntary = !preempt && switch_prev_state(ctx, prev);
		kind.sleeps = kind.voluntary && task_sleep_state(prev);
		read_facts(state, prev, &facts);
		scaler_thread_switch_out(&state->thread, &window, now_ns, &kind, &facts);
	}
	state = next->pid ? bpf_task_storage_get(&task_states, next, 0, 0) : NULL;
	if (state && !state->dormant) {
		/* One reading of the clock for both: it is a large part of the cost. */
		now_ns = now_ns ?: bpf_ktime_get_ns();
		read_facts(state, next, &facts);
		scaler_thread_switch_in(&state->thread, &window, now_ns, &facts);
	}
	return 0;
}

/* Not sched_wakeup, which runs on the CPU that the woken task is sent to, and later. */
SEC("tp_btf/sched_waking")
int BPF_PROG(scaler_waking, struct task_struct *task)
{
	struct task_state *state = bpf_task_storage_get(&task_states, task, 0, 0);

	if (state)
		state->thread.woken_ns = bpf_ktime_get_ns();
	return 0;
}
