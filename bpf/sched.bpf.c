// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running, runnable, blocked: the scheduler's switches and wakeups of traced threads.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "maps.bpf.h"
#include "compat.bpf.h"
#include "task_state.bpf.h"

static __always_inline void read_facts(struct task_state *state, struct task_struct *task,
				       struct scaler_switch_facts *facts)
{
	facts->ran_ns = task->se.sum_exec_runtime - state->exec_runtime_ns;
	facts->slept = task->nvcsw != state->voluntary;
	state->exec_runtime_ns = task->se.sum_exec_runtime;
	state->voluntary = task->nvcsw;
}

/* The task's state if it is recorded. PID 0 is the idle task. */
static __always_inline struct task_state *recorded_state(struct task_struct *task)
{
	struct task_state *state = task->pid ? bpf_task_storage_get(&task_states, task, 0, 0) : NULL;

	return state && !state->dormant ? state : NULL;
}

static __always_inline void switch_out(struct task_state *state, struct task_struct *task,
				       const struct scaler_switch_kind *kind, u64 now_ns)
{
	struct scaler_switch_facts facts;

	read_facts(state, task, &facts);
	scaler_thread_switch_out(&state->thread, &window, now_ns, kind, &facts);
	task_state_change_end(state);
}

static __always_inline void switch_in(struct task_state *state, struct task_struct *task, u64 now_ns)
{
	struct scaler_switch_facts facts;

	read_facts(state, task, &facts);
	scaler_thread_switch_in(&state->thread, &window, now_ns, &facts);
	task_state_change_end(state);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(scaler_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct task_state *out = recorded_state(prev), *in = recorded_state(next);
	struct scaler_switch_kind kind;
	u64 now_ns;

	if (!out && !in)
		return 0;
	if (out)
		task_state_change_begin(out);
	if (in)
		task_state_change_begin(in);
	/* One reading for both: it is a large part of the cost. */
	now_ns = bpf_ktime_get_ns();
	if (out) {
		/* The scheduler's own rule, whatever the kind of sleep. */
		kind.voluntary = !preempt && switch_prev_state(ctx, prev);
		kind.sleeps = kind.voluntary && task_sleep_state(prev);
		switch_out(out, prev, &kind, now_ns);
	}
	if (in)
		switch_in(in, next, now_ns);
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
