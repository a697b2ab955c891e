/* SPDX-License-Identifier: GPL-2.0-only */
/* The moment from which on a thread counts; and how its state is changed beside who may be reading it. */
#ifndef SCALER_TASK_STATE_BPF_H
#define SCALER_TASK_STATE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include "maps.bpf.h"

static __always_inline void task_state_begin(struct task_state *state, struct task_struct *task,
					     enum scaler_state first)
{
	struct scaler_thread fresh = { .serial = state->thread.serial, .state = first };

	fresh.start_ns = fresh.since_ns = bpf_ktime_get_ns();
	state->exec_runtime_ns = task->se.sum_exec_runtime;
	state->voluntary = task->nvcsw;
	state->thread = fresh;
	/* Last: who sees it awake on another CPU drives what is set above. */
	barrier();
	state->dormant = DORMANT_NOT;
}

/*
 * A state is only changed on the CPU that its thread is on, goes to or comes from, but a reading of it while
 * the recording goes on comes from another. So changes are numbered, as by the kernel's seqcount_t: odd while
 * one is under way. The clock is read within, so that no change can be under way whose time lies before
 * the reading's. Atomic only to be ordered: BPF has no barriers.
 */
static __always_inline void task_state_count_change(struct task_state *state)
{
	u64 changes;

	if (!read_while_recording)
		return;
	changes = __sync_fetch_and_add(&state->changes, 1);
	barrier_var(changes); /* without its result it would not order */
}

static __always_inline void task_state_change_begin(struct task_state *state)
{
	task_state_count_change(state);
}

static __always_inline void task_state_change_end(struct task_state *state)
{
	task_state_count_change(state);
}

#endif
