// SPDX-License-Identifier: GPL-2.0-only
/* Follows work from being queued to being done. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <scaler/component.h>
#include "block_request.bpf.h"
#include "scratch.bpf.h"
#include "waker.bpf.h"
#include "workqueue.bpf.h"

/* Work is queued with interrupts off. */
SCRATCHES(work_scratches, struct queued_work, 1);

static __always_inline void work_read(struct queued_work *work, struct work_struct *queued)
{
	struct task_struct *current = bpf_get_current_task_btf();
	const struct scaler_block_request *request;

	work->request.completed_ns = 0;
	waker_read_context(&work->queuer, current);
	if (work->queuer.context == SCALER_WAKER_TASK) {
		waker_read_task(&work->queuer, current);
		work->queuer.sent_ns = bpf_ktime_get_ns();
	} else {
		waker_clear_task(&work->queuer);
		request = request_completed(work->queuer.context);
		if (request)
			work->request = *request;
	}
	work->queuer.queued_in = work->queuer.context;
	work->queuer.context = SCALER_WAKER_WORKQUEUE;
	work->queuer.where.kernel = scaler_site(SCALER_COMPONENT_KERNEL, (u64)queued->func);
}

SEC("?tp_btf/workqueue_queue_work")
int BPF_PROG(scaler_work_queued, unsigned int cpu, struct pool_workqueue *pool, struct work_struct *queued)
{
	u64 key = (u64)queued;
	struct queued_work *work;
	u32 zero = 0;

	work = bpf_map_lookup_elem(&work_scratches, &zero);
	if (!work)
		return 0;
	work_read(work, queued);
	bpf_map_update_elem(&works_queued, &key, work, BPF_ANY);
	return 0;
}

/* While it is done it may be queued again, or be gone. */
SEC("?tp_btf/workqueue_execute_start")
int BPF_PROG(scaler_work_started, struct work_struct *queued)
{
	u32 pid = bpf_get_current_task_btf()->pid;
	u64 key = (u64)queued;
	struct queued_work *work;

	work = bpf_map_lookup_elem(&works_queued, &key);
	if (!work)
		return 0;
	bpf_map_update_elem(&works_done, &pid, work, BPF_ANY);
	bpf_map_delete_elem(&works_queued, &key);
	return 0;
}

SEC("?tp_btf/workqueue_execute_end")
int scaler_work_ended(void *context)
{
	u32 pid = bpf_get_current_task_btf()->pid;

	bpf_map_delete_elem(&works_done, &pid);
	return 0;
}
