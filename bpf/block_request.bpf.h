/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests to block devices, each from the moment at which it is handed to its device until the device is done. Who
 * waits for one is woken from the same interrupt, and before another is completed there.
 */
#ifndef SCALER_BLOCK_REQUEST_BPF_H
#define SCALER_BLOCK_REQUEST_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/block_request.h>
#include <scaler/blocking.h>
#include "hash_map.bpf.h"
#include "interrupts.bpf.h"
#include "workqueue.bpf.h"

#define BLOCK_OPERATION_MASK 0xff /* include/linux/blk_types.h: REQ_OP_MASK */

/* When each request that is not completed yet was handed to its device, by the address of its struct request. */
LRU_MAP(8192, u64, u64) issued_requests __weak SEC(".maps");

static __always_inline struct gendisk *request_disk(struct request *request)
{
	struct request___before_5_17 *older = (void *)request;

	if (bpf_core_field_exists(older->rq_disk))
		return BPF_CORE_READ(older, rq_disk);
	return BPF_CORE_READ(request, q, disk);
}

static __always_inline u32 request_device(struct request *request)
{
	struct gendisk *disk = request_disk(request);

	return disk ? (u32)BPF_CORE_READ(disk, major) << 20 | BPF_CORE_READ(disk, first_minor) : 0;
}

/*
 * One is completed that a driver has not seen has waited for another, that has its device write what its cache holds,
 * and that has been completed just before.
 */
static __always_inline u64 request_issued_ns(struct request *request, const struct interrupts *now,
					     u32 device)
{
	u64 key = (u64)request;
	u64 *found = bpf_map_lookup_elem(&issued_requests, &key);
	u64 issued_ns = 0;

	if (found) {
		issued_ns = *found;
		bpf_map_delete_elem(&issued_requests, &key);
	} else if (now->completed.completed_ns && now->completed.operation == SCALER_BLOCK_FLUSH &&
		   now->completed.device == device) {
		issued_ns = now->completed.issued_ns;
	}
	return issued_ns;
}

/* The device is done with so many bytes of it. */
static __always_inline void request_complete(struct interrupts *now, struct request *request, u32 bytes)
{
	u32 device = request_device(request);
	u64 issued_ns = request_issued_ns(request, now, device);

	now->completed_in = waker_context(bpf_get_current_task_btf(), now);
	now->completed = (struct scaler_block_request){
		.sector = request->__sector,
		.queued_ns = request->start_time_ns,
		.issued_ns = issued_ns,
		.completed_ns = bpf_ktime_get_ns(),
		.device = device,
		.bytes = bytes,
		.operation = request->cmd_flags & BLOCK_OPERATION_MASK,
	};
}

/* That an interrupt that is served now has completed; NULL: it has none. */
static __always_inline const struct scaler_block_request *request_completed(u32 context)
{
	const struct interrupts *now = interrupts_get();

	return now && now->completed.completed_ns && now->completed_in == context ? &now->completed : NULL;
}

/* Those of a ring on a file that has a disk: before 6.5 the kernel did not count them as waiting for one. */
static __always_inline bool resource_is_on_disk(const struct scaler_resource *resource)
{
	return resource->flags & SCALER_RESOURCE_RING && (resource->descriptor == SCALER_DESCRIPTOR_REGULAR ||
							  resource->descriptor == SCALER_DESCRIPTOR_BLOCK);
}

/* The request that a task has waited for which is woken now from that context; NULL: for none, or it is not known. */
static __always_inline const struct scaler_block_request *
request_awaited(struct task_struct *task, u32 context, const struct scaler_resource *resource)
{
	const struct queued_work *work;

	if (context == SCALER_WAKER_TASK ||
	    !(BPF_CORE_READ_BITFIELD(task, in_iowait) || resource_is_on_disk(resource)))
		return NULL;
	if (context != SCALER_WAKER_WORKQUEUE)
		return request_completed(context);
	work = work_find(bpf_get_current_task_btf());
	return work && work->request.completed_ns ? &work->request : NULL;
}

#endif
