// SPDX-License-Identifier: GPL-2.0-only
/* Calls that move threads which sleep on a futex to another. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <linux/futex.h>
#include "cost.bpf.h"
#include "maps.bpf.h"
#include "requeue.bpf.h"
#include "scratch.bpf.h"
#include "waker.bpf.h"

static __always_inline bool moves_waiters(u32 command)
{
	return command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE || command == FUTEX_CMP_REQUEUE_PI;
}

/* Too large for the stack. */
SCRATCHES(new_requeues, struct requeue, 1);

static __noinline int requeue_begin(u64 from, u64 to)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct requeue_key key = { .memory = (u64)task->mm, .from = from };
	struct requeue *requeue;
	u32 only = 0;

	requeue = bpf_map_lookup_elem(&new_requeues, &only);
	if (!requeue)
		return 0;
	__builtin_memset(requeue, 0, sizeof(*requeue));
	requeue->to = to;
	requeue->when_ns = bpf_ktime_get_ns();
	requeue->requeuer.context = SCALER_WAKER_TASK;
	requeue->requeuer.vector = SCALER_VECTOR_NONE;
	waker_read_task(&requeue->requeuer, task);
	bpf_map_update_elem(&requeues, &key, requeue, BPF_ANY);
	return 0;
}

/* As the tracepoint's format says; of the native table. */
struct entered_call {
	u64 common;
	s64 number;
	u64 arguments[6];
};

/* futex(from, operation, count, others, to, value) */
SEC("?tp/syscalls/sys_enter_futex")
int scaler_requeue(struct entered_call *ctx)
{
	const struct task_state *state;

	if (!moves_waiters((u32)ctx->arguments[1] & FUTEX_CMD_MASK))
		return 0;
	state = task_state_find(bpf_get_current_task_btf());
	if (!state || state->dormant)
		return 0;
	cost_begin(SCALER_COST_SWITCHES);
	requeue_begin(ctx->arguments[0], ctx->arguments[4]);
	cost_end(SCALER_COST_SWITCHES);
	return 0;
}
