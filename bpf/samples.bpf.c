// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU samples: which of the traced threads a timer finds running, and where. From the timer's interrupt, so that it
 * can interrupt the other programs anywhere: it writes nothing of theirs.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include "compat.bpf.h"
#include "cost.bpf.h"
#include "events.bpf.h"
#include "maps.bpf.h"
#include "place.bpf.h"
#include "tracer_code.bpf.h"

struct scaler_code_ranges tracer_code = {};

static __always_inline bool sample_is_tracer(struct bpf_perf_event_data *ctx, struct task_struct *task,
					     bool in_kernel)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	return (task_is_user(task, regs, in_kernel) && thread_is_between_traps(task, regs)) ||
	       (in_kernel && kernel_stack_is_tracer(ctx));
}

static __always_inline void sample_take(struct bpf_perf_event_data *ctx, struct task_state *state,
					struct task_struct *task)
{
	struct scaler_sample_event event = { .kind = SCALER_EVENT_SAMPLE };
	u64 address = event_address(ctx);
	bool in_kernel = address_is_kernel(address);

	event.sample.task = state->thread.serial;
	if (sample_is_tracer(ctx, task, in_kernel)) {
		/* In no call, even if one is open: its time begins behind what is done as it is entered, and ends before. */
		event.sample.kind = SCALER_SAMPLE_OUTSIDE;
		event.sample.site = scaler_site(SCALER_COMPONENT_TRACER, 0);
	} else {
		if (in_kernel)
			event.sample.kernel = scaler_site(SCALER_COMPONENT_KERNEL, address);
		place_find(&event.sample, &state->thread.call, task, in_kernel);
	}
	if (bpf_ringbuf_output(&events, &event, sizeof(event), event_wakes_late()))
		loss_count(SCALER_LOSS_SAMPLE);
}

SEC("?perf_event")
int scaler_sample(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = task->pid ? task_state_find(task) : NULL;
	u64 now_ns;

	if (!state || state->dormant)
		return 0;
	now_ns = bpf_ktime_get_ns();
	if (now_ns < window.start_ns || now_ns >= window.end_ns)
		return 0;
	cost_begin(SCALER_COST_SAMPLES);
	sample_take(ctx, state, task);
	cost_end(SCALER_COST_SAMPLES);
	return 0;
}
