/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * io_uring: who waits for a ring's requests waits for what they are on. Of the requests that are done but not yet
 * reported, which the kernel leaves to the thread itself to report, the last one is what it is woken for.
 */
#ifndef SCALER_RING_BPF_H
#define SCALER_RING_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <asm/unistd.h>
#include <scaler/resource.h>
#include "compat.bpf.h"
#include "file_resource.bpf.h"

#define RING_IS_REGISTERED 16 /* include/uapi/linux/io_uring.h: IORING_ENTER_REGISTERED_RING */
#define REGISTERED_RINGS   16 /* include/linux/io_uring_types.h: IO_RINGFD_REG_MAX */

/* By its number among the task's own, not by a descriptor. */
static __always_inline bool ring_is_registered(struct pt_regs *regs, u64 number)
{
	return number == __NR_io_uring_enter && call_argument(regs, 3) & RING_IS_REGISTERED;
}

static __always_inline struct file *ring_registered(struct task_struct *task, u32 number)
{
	struct io_uring_task *rings = BPF_CORE_READ(task, io_uring);
	struct file *file = NULL;

	if (rings && number < REGISTERED_RINGS && bpf_core_field_exists(rings->registered_rings))
		bpf_core_read(&file, sizeof(file), &rings->registered_rings[number]);
	return file;
}

static __always_inline void resource_set_registered_ring(struct scaler_resource *resource,
							 struct task_struct *task, struct pt_regs *regs)
{
	struct file *file = ring_registered(task, call_argument(regs, 0));

	if (!file)
		return;
	resource_set_file(resource, file);
	resource->number = SCALER_NO_DESCRIPTOR;
}

/* The ring that a thread waits on; 0: it does not, or it is not known. For ring_read_completed(). */
static __always_inline u64 ring_find(const struct scaler_resource *resource, struct task_struct *task,
				     struct pt_regs *regs)
{
	struct file *file;

	if (resource->kind != SCALER_RESOURCE_FILE || resource->descriptor != SCALER_DESCRIPTOR_IO_URING)
		return 0;
	file = resource->number == SCALER_NO_DESCRIPTOR ? ring_registered(task, call_argument(regs, 0)) :
							  descriptor_file(task, resource->number);
	return file ? (u64)BPF_CORE_READ(file, private_data) : 0;
}

static __always_inline struct io_kiocb *request_of_node(struct llist_node *node)
{
	return node ? (void *)node - bpf_core_field_offset(struct io_kiocb, io_task_work.node) : NULL;
}

/* What one of the kernel's threads that do requests, the current task, is at. */
static __always_inline struct io_kiocb *request_of_worker(struct task_struct *current)
{
	struct io_worker *worker;
	struct io_wq_work *work;

	if (!(current->flags & TASK_IO_WORKER) || !bpf_core_field_exists(current->worker_private))
		return NULL;
	worker = BPF_CORE_READ(current, worker_private);
	work = worker ? BPF_CORE_READ(worker, cur_work) : NULL;
	return work ? (void *)work - bpf_core_field_offset(struct io_kiocb, work) : NULL;
}

/* Of a ring that a task waits on with all its rings, a struct io_kiocb; 0: it is not known. Global, so that the verifier looks at it once. */
__weak __noinline u64 ring_completed(u64 ring_address, u64 rings_address)
{
	struct io_ring_ctx *ring = (struct io_ring_ctx *)ring_address;
	struct io_uring_task *rings = (struct io_uring_task *)rings_address;
	struct io_kiocb *request = NULL;

	if (!bpf_core_field_exists(request->io_task_work))
		return 0;
	if (bpf_core_field_exists(ring->work_llist))
		request = request_of_node(BPF_CORE_READ(ring, work_llist.first));
	if (!request && rings)
		request = request_of_node(BPF_CORE_READ(rings, task_list.first));
	if (!request)
		request = request_of_worker(bpf_get_current_task_btf());
	return request && BPF_CORE_READ(request, ctx) == ring ? (u64)request : 0;
}

/* Somebody wakes who waits on the ring: puts the file in the ring's place that its completed request is on. */
static __always_inline void ring_read_completed(struct scaler_resource *resource, u64 ring,
						struct task_struct *task)
{
	struct io_kiocb *request =
		(struct io_kiocb *)ring_completed(ring, (u64)BPF_CORE_READ(task, io_uring));
	struct file *file = request ? BPF_CORE_READ(request, file) : NULL;

	if (!file)
		return;
	resource->flags |= SCALER_RESOURCE_RING;
	resource->set = resource->number;
	resource->number = SCALER_NO_DESCRIPTOR;
	resource_set_file(resource, file);
}

#endif
