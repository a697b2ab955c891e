// SPDX-License-Identifier: GPL-2.0-only
/* Blocking intervals beside the recording itself: what it needs to know, and those that have not ended with it. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "blocking_end.bpf.h"
#include "maps.bpf.h"
#include "scratch.bpf.h"

/* Too large for the stack. */
SCRATCHES(blocking_copies, struct blocking_state, 1);

/* Hands them out as an array of struct scaler_blocking_interval. */
SEC("?iter/task")
int scaler_read_blocked(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	const struct task_state *state = task ? task_state_find(task) : NULL;
	struct blocking_state *known, *copy;
	u32 zero = 0;

	copy = bpf_map_lookup_elem(&blocking_copies, &zero);
	if (!copy || !state || state->dormant || !blocking_is_told(&state->thread))
		return 0;
	known = blocking_state_find(task);
	if (known)
		*copy = *known;
	else
		__builtin_memset(copy, 0, sizeof(*copy));
	blocking_complete(copy, task, &state->thread);
	if (copy->held)
		blocking_set_held(copy);
	copy->event.interval.request = 0; /* it is not handed out */
	/* It may have ended while it was read. */
	if (copy->event.interval.start_ns == state->thread.since_ns && blocking_is_told(&state->thread))
		bpf_seq_write(ctx->meta->seq, &copy->event.interval, sizeof(copy->event.interval));
	return 0;
}

/* Run once, before the recording. */
SEC("?syscall")
int scaler_find_sched_text(void *context)
{
	static const char start[] = "__sched_text_start", end[] = "__sched_text_end";

	u64 first = 0, last = 0;

	if (!bpf_kallsyms_lookup_name(end, sizeof(end), 0, &last) &&
	    !bpf_kallsyms_lookup_name(start, sizeof(start), 0, &first)) {
		sched_text_end = last;
		sched_text_start = first;
	}
	return 0;
}
