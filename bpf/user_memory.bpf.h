/* SPDX-License-Identifier: GPL-2.0-only */
/* What the arguments of a system call point to: times and numbers, never what a program reads or writes. */
#ifndef SCALER_USER_MEMORY_BPF_H
#define SCALER_USER_MEMORY_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <asm/errno.h>

/* Other tasks' memory can be read by programs that may sleep; for all others that is -ESRCH. */
static __always_inline long user_read(struct task_struct *task, void *to, u32 size, u64 address)
{
#ifdef MAY_SLEEP
	return bpf_copy_from_user_task(to, size, (void *)address, task, 0);
#else
	if (task != bpf_get_current_task_btf())
		return -ESRCH;
	return bpf_probe_read_user(to, size, (void *)address);
#endif
}

#endif
