/* SPDX-License-Identifier: GPL-2.0-only */
/* Until when a system call waits at most. */
#ifndef SCALER_TIMEOUT_BPF_H
#define SCALER_TIMEOUT_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <linux/time.h>
#include <scaler/resource.h>
#include "user_memory.bpf.h"

struct user_time {
	s64 seconds;
	s64 fraction;
};

#define SECOND_NS 1000000000ULL
#define FOREVER_S (1ULL << 33) /* from there on it is no time that somebody waits for */

/* How far a clock is ahead of the machine's in a task's time namespace. */
static __always_inline u64 clock_ahead_ns(struct task_struct *task, bool is_boottime)
{
	struct nsproxy *namespaces = BPF_CORE_READ(task, nsproxy);
	struct timespec64 offset = {};

	if (!namespaces || !bpf_core_field_exists(namespaces->time_ns))
		return 0;
	if (is_boottime)
		BPF_CORE_READ_INTO(&offset, namespaces, time_ns, offsets.boottime);
	else
		BPF_CORE_READ_INTO(&offset, namespaces, time_ns, offsets.monotonic);
	return (u64)offset.tv_sec * SECOND_NS + (u64)offset.tv_nsec;
}

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

/* A struct timespec of a clock, a moment: in resource it is the machine's, of one that counts from its beginning MONOTONIC. */
static __always_inline void timeout_read_moment(struct scaler_resource *resource, struct task_struct *task,
						u64 address, u32 clock)
{
	bool is_boottime = clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM;
	enum scaler_timeout timeout = is_boottime || clock == CLOCK_MONOTONIC ? SCALER_TIMEOUT_MONOTONIC :
				      clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_ALARM ?
										SCALER_TIMEOUT_REALTIME :
										SCALER_TIMEOUT_OTHER;

	timeout_read(resource, task, address, timeout);
	if (resource->timeout == SCALER_TIMEOUT_MONOTONIC)
		resource->timeout_ns -= clock_ahead_ns(task, is_boottime) +
					(is_boottime ? bpf_ktime_get_boot_ns() - bpf_ktime_get_ns() : 0);
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
