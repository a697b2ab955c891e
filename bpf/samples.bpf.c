// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU samples: which of the traced threads a timer finds running, and where. From the timer's interrupt, so that it
 * can interrupt the other programs anywhere: it writes nothing of theirs.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include "compat.bpf.h"
#include "events.bpf.h"
#include "maps.bpf.h"
#include "place.bpf.h"

SEC("?perf_event")
int scaler_sample(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = task->pid ? task_state_find(task) : NULL;
	struct scaler_sample_event event = { .kind = SCALER_EVENT_SAMPLE };
	u64 address = event_address(ctx), now_ns;

	if (!state || state->dormant)
		return 0;
	now_ns = bpf_ktime_get_ns();
	if (now_ns < window.start_ns || now_ns >= window.end_ns)
		return 0;
	event.sample.task = state->thread.serial;
	if (address_is_kernel(address))
		event.sample.kernel = scaler_site(SCALER_COMPONENT_KERNEL, address);
	place_find(&event.sample, &state->thread.call, task, address_is_kernel(address));
	if (bpf_ringbuf_output(&events, &event, sizeof(event), event_wakes_late()))
		loss_count(SCALER_LOSS_SAMPLE);
	return 0;
}
