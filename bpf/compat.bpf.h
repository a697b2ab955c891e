/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All differences between kernels and architectures that the BPF programs must know of.
 */
#ifndef SCALER_COMPAT_BPF_H
#define SCALER_COMPAT_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <scaler/record.h>

#define SCALER_TS_COMPAT 0x0002 /* arch/x86/include/asm/thread_info.h: in a 32-bit system call */

/* Which table the current system call's number belongs to. */
static __always_inline u8 task_call_abi(struct task_struct *task)
{
#if defined(__TARGET_ARCH_x86)
	if (bpf_core_field_exists(task->thread_info.status) &&
	    (task->thread_info.status & SCALER_TS_COMPAT))
		return SCALER_ABI_COMPAT;
#endif
	return SCALER_ABI_NATIVE;
}

#endif
