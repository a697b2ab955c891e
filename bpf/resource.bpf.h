/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread waits on in a system call, by the call's number and arguments. */
#ifndef SCALER_RESOURCE_BPF_H
#define SCALER_RESOURCE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <asm/unistd.h>
#include <scaler/call.h>
#include <scaler/resource.h>
#include "compat.bpf.h"
#include "file_resource.bpf.h"
#include "futex.bpf.h"
#include "polled.bpf.h"
#include "ring.bpf.h"
#include "timeout.bpf.h"
#include "user_memory.bpf.h"

/* One descriptor is what is waited on; of several nobody knows which. */
static __always_inline void resource_set_polled(struct scaler_resource *resource, struct task_struct *task,
						u64 descriptors, u32 count)
{
	u32 fd;

	if (count == 1 && !user_read(task, &fd, sizeof(fd), descriptors)) {
		resource_set_descriptor(resource, task, fd);
	} else if (count) {
		resource->kind = SCALER_RESOURCE_FILES;
		resource->number = count;
	}
}

static __always_inline void resource_set_selected(struct scaler_resource *resource, struct task_struct *task,
						  struct pt_regs *regs)
{
	u64 all = selected_set(task, regs, 1) | selected_set(task, regs, 2) | selected_set(task, regs, 3);

	if (!call_argument(regs, 0))
		return;
	resource->kind = SCALER_RESOURCE_FILES;
	resource->number = bits_count(all);
	if (resource->number == 1)
		resource_set_descriptor(resource, task, bits_first(all));
}

#define CLOCK_IS_ABSOLUTE 1 /* TIMER_ABSTIME of time.h */

#define WAIT_FOR_PID 1 /* P_PID of sys/wait.h */

/* The calls whose first argument is not what they wait on. */
static __always_inline void resource_read_others(struct scaler_resource *resource, struct task_struct *task,
						 struct pt_regs *regs, u64 number)
{
	switch (number) {
	case __NR_futex:
		futex_read(resource, task, regs);
		break;
	case __NR_futex_waitv:
		futex_read_several(resource, task, regs);
		break;
	case __NR_futex_wait:
		futex_read_new(resource, task, call_argument(regs, 0), call_argument(regs, 3));
		break;
	case __NR_io_getevents:
	case __NR_io_pgetevents:
		resource->kind = SCALER_RESOURCE_AIO;
		resource->id = call_argument(regs, 0);
		break;
	case __NR_wait4:
		resource->kind = SCALER_RESOURCE_CHILD;
		resource->number = call_argument(regs, 0);
		break;
	case __NR_waitid:
		resource->kind = SCALER_RESOURCE_CHILD;
		resource->number = call_argument(regs, 0) == WAIT_FOR_PID ? call_argument(regs, 1) : -1;
		break;
#ifdef __NR_vfork
	case __NR_vfork:
		resource->kind = SCALER_RESOURCE_CHILD;
		break;
#endif
	case __NR_clone: /* with CLONE_VFORK: no other has to wait */
	case __NR_clone3:
		resource->kind = SCALER_RESOURCE_CHILD;
		break;
	case __NR_semop:
	case __NR_semtimedop:
	case __NR_msgrcv:
	case __NR_msgsnd:
		resource->kind = SCALER_RESOURCE_SYSV;
		resource->number = call_argument(regs, 0);
		break;
#ifdef __NR_poll
	case __NR_poll:
#endif
	case __NR_ppoll:
		resource_set_polled(resource, task, call_argument(regs, 0), call_argument(regs, 1));
		break;
#ifdef __NR_select
	case __NR_select:
#endif
	case __NR_pselect6:
		resource_set_selected(resource, task, regs);
		break;
	}
}

static __always_inline void resource_read_timeout(struct scaler_resource *resource, struct task_struct *task,
						  struct pt_regs *regs, u64 number)
{
	switch (number) {
	case __NR_nanosleep:
		timeout_read(resource, task, call_argument(regs, 0), SCALER_TIMEOUT_RELATIVE);
		break;
	case __NR_clock_nanosleep:
		if (call_argument(regs, 1) & CLOCK_IS_ABSOLUTE)
			timeout_read_moment(resource, task, call_argument(regs, 2), call_argument(regs, 0));
		else
			timeout_read(resource, task, call_argument(regs, 2), SCALER_TIMEOUT_RELATIVE);
		break;
#ifdef __NR_poll
	case __NR_poll:
		timeout_set_ms(resource, call_argument(regs, 2));
		break;
	case __NR_select:
		timeout_read_timeval(resource, task, call_argument(regs, 4));
		break;
	case __NR_epoll_wait:
#endif
	case __NR_epoll_pwait:
		timeout_set_ms(resource, call_argument(regs, 3));
		break;
	case __NR_ppoll:
	case __NR_rt_sigtimedwait:
		timeout_read(resource, task, call_argument(regs, 2), SCALER_TIMEOUT_RELATIVE);
		break;
	case __NR_epoll_pwait2:
	case __NR_semtimedop:
		timeout_read(resource, task, call_argument(regs, 3), SCALER_TIMEOUT_RELATIVE);
		break;
	case __NR_pselect6:
		timeout_read(resource, task, call_argument(regs, 4), SCALER_TIMEOUT_RELATIVE);
		break;
	case __NR_futex_waitv:
		timeout_read_moment(resource, task, call_argument(regs, 3), call_argument(regs, 4));
		break;
	case __NR_futex_wait:
		timeout_read_moment(resource, task, call_argument(regs, 4), (u32)call_last_argument(regs));
		break;
	case __NR_io_getevents:
	case __NR_io_pgetevents:
		timeout_read(resource, task, call_argument(regs, 4), SCALER_TIMEOUT_RELATIVE);
		break;
	case __NR_mq_timedreceive:
	case __NR_mq_timedsend:
		timeout_read(resource, task, call_argument(regs, 4), SCALER_TIMEOUT_REALTIME);
		break;
	}
}

/* The task is not running, or is the current one. */
static __noinline void resource_read(struct scaler_resource *resource, struct task_struct *task,
				     struct pt_regs *regs, u64 number)
{
	if (!resource)
		return;
	if (ring_is_registered(regs, number))
		resource_set_registered_ring(resource, task, regs);
	else if (call_first_is(SCALER_ABI_NATIVE, number) != SCALER_FIRST_OTHER)
		resource_set_descriptor(resource, task, call_argument(regs, 0));
	else
		resource_read_others(resource, task, regs, number);
	resource_read_timeout(resource, task, regs, number);
}

#endif
