/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells user space of traced processes that may have other code than they had, so that probes can follow. */
#ifndef SCALER_PROCESS_EVENTS_BPF_H
#define SCALER_PROCESS_EVENTS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/process_event.h>
#include "maps.bpf.h"
#include "numbers.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 * 1024);
} process_events __weak SEC(".maps");

/* Set by user space before loading. */
const volatile bool sends_process_events __weak;

static __noinline int process_event_send_code(struct task_struct *task, enum scaler_process_event_kind kind,
					      u32 component)
{
	struct scaler_process_event event = { .kind = kind, .component = component };

	if (!sends_process_events || !task || task->flags & TASK_KERNEL_FLAGS)
		return 0;
	event.when_ns = bpf_ktime_get_ns();
	event.pid = process_number(task);
	if (event.pid && bpf_ringbuf_output(&process_events, &event, sizeof(event), 0))
		loss_count(SCALER_LOSS_PROCESS_EVENT);
	return 0;
}

static __always_inline void process_event_send(struct task_struct *task, enum scaler_process_event_kind kind)
{
	process_event_send_code(task, kind, SCALER_COMPONENT_NONE);
}

#endif
