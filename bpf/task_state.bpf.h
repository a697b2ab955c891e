/* SPDX-License-Identifier: GPL-2.0-only */
/* The moment from which on a thread counts. */
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

#endif
