/* SPDX-License-Identifier: GPL-2.0-only */
/* The several descriptors that a thread waits on in poll() or select(), and which of them has become ready. */
#ifndef SCALER_POLLED_BPF_H
#define SCALER_POLLED_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <asm/unistd.h>
#include <scaler/resource.h>
#include "compat.bpf.h"
#include "file_resource.bpf.h"
#include "user_memory.bpf.h"

#define POLLED_TO_READ 0x41 /* POLLIN, POLLRDNORM */

/* Of more it is not looked for the one. */
#define POLLED_DESCRIPTORS 8

/* As poll() has them (poll.h: struct pollfd). */
struct polled_descriptor {
	s32 fd;
	s16 events, returned;
};

struct polled {
	u32 count; /* 0: none, or too many */
	struct polled_descriptor descriptors[POLLED_DESCRIPTORS];
	u64 files[POLLED_DESCRIPTORS]; /* struct file */
};

/* By adding neighbours: 32 pairs of bits, then 16 of those, and so on. Without a loop for the verifier to follow. */
static __always_inline u32 bits_count(u64 bits)
{
	bits -= bits >> 1 & 0x5555555555555555;
	bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return bits * 0x0101010101010101 >> 56;
}

static __always_inline u32 bits_first(u64 bits)
{
	return bits_count((bits & -bits) - 1);
}

/* The set of descriptors that an argument of select() points to, of which no more than the first 64 are looked at. */
static __always_inline u64 selected_set(struct task_struct *task, struct pt_regs *regs, u32 argument)
{
	u64 count = call_argument(regs, 0), set = 0;

	if (!count || count > 64 || user_read(task, &set, sizeof(set), call_argument(regs, argument)))
		return 0;
	return set & ~0ULL >> (64 - count);
}

static __always_inline void polled_list_selected(struct polled *polled, u64 read)
{
	for (int i = 0; i < POLLED_DESCRIPTORS && read; i++) {
		polled->descriptors[i].fd = bits_first(read);
		polled->descriptors[i].events = POLLED_TO_READ;
		polled->count = i + 1;
		read &= read - 1;
	}
	if (read)
		polled->count = 0;
}

static __always_inline void polled_list(struct polled *polled, struct task_struct *task, struct pt_regs *regs,
					u64 number)
{
	u64 count = call_argument(regs, 1);

	switch (number) {
#ifdef __NR_select
	case __NR_select:
#endif
	case __NR_pselect6:
		polled_list_selected(polled, selected_set(task, regs, 1));
		break;
#ifdef __NR_poll
	case __NR_poll:
#endif
	case __NR_ppoll:
		if (count <= POLLED_DESCRIPTORS &&
		    !user_read(task, polled->descriptors, count * sizeof(*polled->descriptors),
			       call_argument(regs, 0)))
			polled->count = count;
		break;
	}
}

/* Of a call that waits on several, with the current task's registers. */
static __always_inline void polled_find(struct polled *polled, struct task_struct *task, struct pt_regs *regs,
					u64 number)
{
	polled_list(polled, task, regs, number);
	for (u32 i = 0; i < POLLED_DESCRIPTORS && i < polled->count; i++)
		polled->files[i] = (u64)descriptor_file(task, polled->descriptors[i].fd);
}

#define SHUT_FOR_READING 1 /* include/net/sock.h: RCV_SHUTDOWN */

/* It has something to read, has connections to accept, or is at its end. */
static __always_inline bool socket_is_ready(struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sock = BPF_CORE_READ(socket, sk);

	return sock && (BPF_CORE_READ(sock, sk_receive_queue.qlen) || BPF_CORE_READ(sock, sk_ack_backlog) ||
			BPF_CORE_READ(sock, sk_shutdown) & SHUT_FOR_READING);
}

static __always_inline bool pipe_is_ready(struct file *file)
{
	struct pipe_inode_info *pipe = BPF_CORE_READ(file, private_data);

	return BPF_CORE_READ(pipe, head) != BPF_CORE_READ(pipe, tail) || !BPF_CORE_READ(pipe, writers);
}

/* Whether it can be read. Others than those below never can. Global, so that the verifier looks at it once. */
__weak __noinline bool file_is_ready(u64 address)
{
	struct file *file = (struct file *)address;

	switch (file ? descriptor_of_file(file) : SCALER_DESCRIPTOR_BAD) {
	case SCALER_DESCRIPTOR_SOCKET:
	case SCALER_DESCRIPTOR_UNIX:
		return socket_is_ready(file);
	case SCALER_DESCRIPTOR_PIPE:
		return pipe_is_ready(file);
	case SCALER_DESCRIPTOR_EVENTFD: {
		struct eventfd_ctx *eventfd = BPF_CORE_READ(file, private_data);

		return BPF_CORE_READ(eventfd, count);
	}
	}
	return false;
}

/* Puts the first in their place that can be read and was to be, if there is one. */
static __always_inline bool polled_read_ready(struct scaler_resource *resource, const struct polled *polled)
{
	for (u32 i = 0; i < POLLED_DESCRIPTORS && i < polled->count; i++) {
		if (!(polled->descriptors[i].events & POLLED_TO_READ) || !file_is_ready(polled->files[i]))
			continue;
		resource->number = polled->descriptors[i].fd;
		resource_set_file(resource, (struct file *)polled->files[i]);
		return true;
	}
	return false;
}

#endif
