/* SPDX-License-Identifier: GPL-2.0-only */
/* What a descriptor stands for that a thread waits on; of a set of them, which one has become ready. */
#ifndef SCALER_FILE_RESOURCE_BPF_H
#define SCALER_FILE_RESOURCE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/call.h>
#include <scaler/resource.h>
#include "descriptor.bpf.h"
#include "file_path.bpf.h"
#include "socket.bpf.h"

static __always_inline bool descriptor_has_path(u8 descriptor)
{
	switch (descriptor) {
	case SCALER_DESCRIPTOR_REGULAR:
	case SCALER_DESCRIPTOR_DIRECTORY:
	case SCALER_DESCRIPTOR_PIPE:
	case SCALER_DESCRIPTOR_TTY:
	case SCALER_DESCRIPTOR_CHARACTER:
	case SCALER_DESCRIPTOR_BLOCK:
		return true;
	}
	return false;
}

/* Device nodes are told by the device, all else by where its inode is. */
static __noinline void resource_set_file(struct scaler_resource *resource, struct file *file)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);

	if (!resource)
		return;
	resource->kind = SCALER_RESOURCE_FILE;
	resource->descriptor = descriptor_of_file(file);
	resource->id = BPF_CORE_READ(inode, i_ino);
	resource->device = BPF_CORE_READ(inode, i_sb, s_dev);
	resource->path =
		records_paths && descriptor_has_path(resource->descriptor) ? file_path_number((u64)file) : 0;
	switch (resource->descriptor) {
	case SCALER_DESCRIPTOR_TTY:
	case SCALER_DESCRIPTOR_CHARACTER:
	case SCALER_DESCRIPTOR_BLOCK:
		resource->device = BPF_CORE_READ(inode, i_rdev);
		break;
	case SCALER_DESCRIPTOR_SOCKET:
	case SCALER_DESCRIPTOR_UNIX:
		socket_note(file, resource->id);
		break;
	case SCALER_DESCRIPTOR_EVENTFD: {
		struct eventfd_ctx *eventfd = BPF_CORE_READ(file, private_data);

		resource->id = BPF_CORE_READ(eventfd, id);
		break;
	}
	}
}

static __always_inline void resource_set_descriptor(struct scaler_resource *resource,
						    struct task_struct *task, u32 fd)
{
	struct file *file = descriptor_file(task, fd);

	resource->kind = SCALER_RESOURCE_FILE;
	resource->descriptor = SCALER_DESCRIPTOR_BAD;
	resource->number = fd;
	if (file)
		resource_set_file(resource, file);
}

/* The set of descriptors that a thread waits on; 0: it does not, or it is not known. For epoll_read_ready(). */
static __always_inline u64 epoll_find(const struct scaler_resource *resource, struct task_struct *task)
{
	struct file *file;

	if (resource->kind != SCALER_RESOURCE_FILE || resource->descriptor != SCALER_DESCRIPTOR_EPOLL)
		return 0;
	file = descriptor_file(task, resource->number);
	return file ? (u64)BPF_CORE_READ(file, private_data) : 0;
}

/* Somebody wakes who waits on the set: puts the descriptor in the set's place that has become ready, if one has. */
static __always_inline void epoll_read_ready(struct scaler_resource *resource, u64 set)
{
	struct eventpoll *poll = (struct eventpoll *)set;
	struct list_head *first = BPF_CORE_READ(poll, rdllist.next);
	struct epitem *item = container_of(first, struct epitem, rdllink);
	struct file *file;

	if (!first || first == (void *)poll + bpf_core_field_offset(poll->rdllist))
		return;
	file = BPF_CORE_READ(item, ffd.file);
	if (!file)
		return;
	resource->flags |= SCALER_RESOURCE_SET;
	resource->set = resource->number;
	resource->number = BPF_CORE_READ(item, ffd.fd);
	resource_set_file(resource, file);
}

#endif
