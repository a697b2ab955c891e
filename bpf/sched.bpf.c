// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running, runnable, blocked: the scheduler's switches and wakeups of traced threads, and with them, where that is
 * asked for, blocking intervals.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "maps.bpf.h"
#include "blocking_end.bpf.h"
#include "call_switch.bpf.h"
#include "compat.bpf.h"
#include "cost.bpf.h"
#include "quota.bpf.h"
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
	struct task_state *state = task->pid ? task_state_find(task) : NULL;

	return state && !state->dormant ? state : NULL;
}

/*
 * The thread's own part of a switch, as functions that the verifier checks by themselves: in line, it follows every way
 * through the one with every way through the other.
 */
__noinline int thread_switched_in(struct scaler_thread *thread, u64 now_ns, u64 ran_ns, u32 slept,
				  u64 kept_ns)
{
	const struct scaler_switch_facts facts = { .ran_ns = ran_ns, .slept = slept, .kept_ns = kept_ns };

	if (thread)
		scaler_thread_switch_in(thread, &window, now_ns, &facts);
	return 0;
}

__noinline int thread_switched_out(struct scaler_thread *thread, u64 now_ns, u64 ran_ns, u32 voluntary,
				   u32 sleeps)
{
	const struct scaler_switch_facts facts = { .ran_ns = ran_ns };
	const struct scaler_switch_kind kind = { .voluntary = voluntary, .sleeps = sleeps };

	if (thread)
		scaler_thread_switch_out(thread, &window, now_ns, &kind, &facts);
	return 0;
}

/* What the variants of the programs below do beside the rest. */
enum recorded {
	RECORDS_STATES,
	RECORDS_BLOCKING, /* blocking intervals too */
};

/* Returns for how long the thread ran. */
static __always_inline u64 switch_out(u64 *ctx, struct task_state *state, struct task_struct *task,
				      u32 sleep_state, bool preempt, u64 now_ns, const enum recorded recorded)
{
	struct scaler_thread *thread = &state->thread;
	struct scaler_switch_facts facts;
	/* The scheduler's own rule, whatever the kind of sleep. */
	bool voluntary = !preempt && sleep_state, sleeps = voluntary && task_sleep_state(task);

	read_facts(state, task, &facts);
	if (recorded == RECORDS_BLOCKING && thread->state != SCALER_RUNNING) {
		now_ns = scaler_thread_clock(thread, now_ns);
		blocking_end(state, task, false, now_ns - facts.ran_ns, 0);
	}
	call_switches_out(state, now_ns);
	thread_switched_out(thread, now_ns, facts.ran_ns, voluntary, sleeps);
	call_switched_out(state, task, now_ns);
	if (!sleeps)
		quota_begin(state, task);
	if (recorded == RECORDS_BLOCKING && thread->state == SCALER_BLOCKED)
		blocking_begin(ctx, state, task, sleep_state);
	else if (recorded == RECORDS_BLOCKING)
		blocking_put_off(state, task);
	task_state_change_end(state);
	return facts.ran_ns;
}

static __always_inline void switch_in(struct task_state *state, struct task_struct *task, u64 now_ns,
				      const enum recorded recorded)
{
	struct scaler_thread *thread = &state->thread;
	struct scaler_switch_facts facts;

	read_facts(state, task, &facts);
	facts.kept_ns = quota_end(state, task);
	if (recorded == RECORDS_BLOCKING) {
		now_ns = scaler_thread_clock(thread, now_ns);
		if (thread->state == SCALER_RUNNING)
			scaler_thread_found_waiting(thread, &window, now_ns, &facts);
		blocking_end(state, task, true, now_ns, facts.kept_ns);
	}
	thread_switched_in(thread, now_ns, facts.ran_ns, facts.slept, facts.kept_ns);
	call_switched_in(state, now_ns);
	task_state_change_end(state);
}

static __always_inline int record_switch(u64 *ctx, bool preempt, struct task_struct *prev,
					 struct task_struct *next, const enum recorded recorded)
{
	struct task_state *out = recorded_state(prev), *in = recorded_state(next);
	bool notes_holder = recorded == RECORDS_BLOCKING && records_delays;
	u64 now_ns, ran_ns = 0;

	if (!out && !in && !notes_holder)
		return 0;
	cost_begin(SCALER_COST_SWITCHES);
	if (out)
		task_state_change_begin(out);
	if (in)
		task_state_change_begin(in);
	/* One reading for both: it is a large part of the cost. */
	now_ns = bpf_ktime_get_ns();
	if (notes_holder)
		cpu_switched(prev, next, now_ns);
	if (out)
		ran_ns = switch_out(ctx, out, prev, switch_prev_state(ctx, prev), preempt, now_ns, recorded);
	if (in)
		switch_in(in, next, now_ns, recorded);
	cost_switch(ran_ns, in, now_ns);
	cost_end(SCALER_COST_SWITCHES);
	return 0;
}

static __always_inline int record_waking(struct task_struct *task, const enum recorded recorded)
{
	struct task_state *state = task_state_find(task);

	if (!state)
		return 0;
	cost_begin(SCALER_COST_SWITCHES);
	if (recorded == RECORDS_BLOCKING && !state->dormant)
		blocking_woken(task);
	quota_begin(state, task);
	/* Last: who sees it sees by whom. */
	state->thread.woken_ns = bpf_ktime_get_ns();
	cost_end(SCALER_COST_SWITCHES);
	return 0;
}

SEC("?tp_btf/sched_switch")
int BPF_PROG(scaler_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	return record_switch(ctx, preempt, prev, next, RECORDS_STATES);
}

SEC("?tp_btf/sched_switch")
int BPF_PROG(scaler_switch_blocking, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	return record_switch(ctx, preempt, prev, next, RECORDS_BLOCKING);
}

/* Not sched_wakeup, which runs on the CPU that the woken task is sent to, and later. */
SEC("?tp_btf/sched_waking")
int BPF_PROG(scaler_waking, struct task_struct *task)
{
	return record_waking(task, RECORDS_STATES);
}

SEC("?tp_btf/sched_waking")
int BPF_PROG(scaler_waking_blocking, struct task_struct *task)
{
	return record_waking(task, RECORDS_BLOCKING);
}
