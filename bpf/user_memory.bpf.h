/* SPDX-License-Identifier: GPL-2.0-only */
/* What the arguments of a system call point to: times and numbers, never what a program reads or writes. */
#ifndef SCALER_USER_MEMORY_BPF_H
#define SCALER_USER_MEMORY_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <asm/errno.h>
#include <scaler/resource.h>

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

struct user_time {
	s64 seconds;
	s64 fraction;
};

#define SECOND_NS 1000000000ULL
#define FOREVER_S (1ULL << 33) /* from there on it is no time that somebody waits for */

static __always_inline void timeout_set(struct scaler_resource *resource, const struct user_time *time,
					u32 fraction_ns, enum scaler_timeout timeout)
{
	if ((u64)time->seconds >= FOREVER_S)
		return;
	resource->timeout = timeout;
	resource->timeout_ns = (u64)time->seconds * SECOND_NS + (u64)time->fraction * fraction_ns;
}

/* A struct timespec. */
static __always_inline void timeout_read(struct scaler_resource *resource, struct task_struct *task,
					 u64 address, enum scaler_timeout timeout)
{
	struct user_time time;

	if (address && !user_read(task, &time, sizeof(time), address))
		timeout_set(resource, &time, 1, timeout);
}

/* A struct timeval. */
static __always_inline void timeout_read_timeval(struct scaler_resource *resource, struct task_struct *task,
						 u64 address)
{
	struct user_time time;

	if (address && !user_read(task, &time, sizeof(time), address))
		timeout_set(resource, &time, 1000, SCALER_TIMEOUT_RELATIVE);
}

static __always_inline void timeout_set_ms(struct scaler_resource *resource, s32 time_ms)
{
	if (time_ms < 0)
		return;
	resource->timeout = SCALER_TIMEOUT_RELATIVE;
	resource->timeout_ns = (u64)time_ms * 1000000;
}

#endif
