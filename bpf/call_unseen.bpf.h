/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that nobody has seen to end. */
#ifndef SCALER_CALL_UNSEEN_BPF_H
#define SCALER_CALL_UNSEEN_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include "call_fold.bpf.h"
#include "open_call.bpf.h"

/* It ends now, as far as is known. Not inline: it is needed in several places, and much. */
static __noinline void call_end_at_switch(struct task_state *state, u64 now_ns)
{
	struct scaler_open_call *call = &state->thread.call;

	if (!open_call_is_placed(call))
		open_call_take_place(state, call);
	if (now_ns >= window.start_ns)
		call_fold_add(state, 0, now_ns);
	call->enter_ns = 0;
	call->part = SCALER_CALL_WHOLE;
}

/* It may have ended long ago: it counts as long as its window was open. */
static __always_inline void call_end_unseen(struct task_state *state, u64 now_ns)
{
	const struct scaler_thread *thread = &state->thread;

	call_end_at_switch(state, scaler_call_seen_ns(&thread->call, &call_window, thread->since_ns, now_ns));
}

#endif
