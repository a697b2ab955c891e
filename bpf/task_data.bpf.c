// SPDX-License-Identifier: GPL-2.0-only
/* What is kept of a task goes with it. Loaded where that is in hash maps. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "blocking_state.bpf.h"
#include "library_frames.bpf.h"
#include "library_state.bpf.h"
#include "task_data.bpf.h"

__u64 task_data_zeros[TASK_DATA_LIMIT / sizeof(__u64)];

/* Its state has gone as it exited; of the rest some is asked for until it is switched out for good. */
SEC("?tp_btf/sched_process_free")
int BPF_PROG(scaler_task_freed, struct task_struct *task)
{
	blocking_state_drop(task);
	library_state_drop(task);
	library_stack_drop(task);
	return 0;
}
