/* SPDX-License-Identifier: GPL-2.0-only */
/* What library calls add to their rows of the fold: for themselves, or for as many as their window stands for. */
#ifndef SCALER_LIBRARY_ROWS_BPF_H
#define SCALER_LIBRARY_ROWS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include "call_rows.bpf.h"
#include "call_stats.bpf.h"
#include "library_frames.bpf.h"
#include "maps.bpf.h"

static __always_inline struct scaler_call_key library_row_key(const struct task_state *state, u32 context)
{
	return (struct scaler_call_key){
		.task = state->thread.serial,
		.id = { .abi = SCALER_ABI_LIBRARY },
		.context = context,
	};
}

static __always_inline struct scaler_call_stats *library_row(const struct task_state *state, u32 context,
							     u32 row)
{
	struct scaler_call_key key = library_row_key(state, context);

	return near_row(row) ?: far_row_get(&key);
}

static __always_inline void library_times_add(struct scaler_times *sum, const struct scaler_times *more)
{
	sum->total_ns += more->total_ns;
	sum->runnable_ns += more->runnable_ns;
	sum->blocked_ns += more->blocked_ns;
}

/* How a call ends. */
enum library_end {
	LIBRARY_RETURNED,
	LIBRARY_CUT_SHORT, /* by the thread's end or the recording's, or a jump out of it */

};

/* A call of which only the beginning was seen. */
static __always_inline void library_count_untimed(struct scaler_call_stats *stats, u32 weight, u64 group)
{
	if (!weight) {
		stats->untimed++;
		return;
	}
	barrier_var(group); /* the check must be on the register that indexes */
	if (group >= SCALER_WINDOW_GROUPS)
		return;
	stats->sampled[group].count += weight;
	stats->sampled_untimed += weight;
}

/* One that was entered in a window and has returned. */
static __always_inline void library_add_sampled(struct scaler_call_stats *stats,
						const struct library_frame *frame,
						const struct scaler_times *call)
{
	u64 weight = frame->window_weight, group = frame->window_group;

	barrier_var(group);
	if (group >= SCALER_WINDOW_GROUPS)
		return;
	stats->sampled[group].count += weight;
	stats->sampled[group].running_ns += weight * call->total_ns;
	stats->runnable_ns += weight * call->runnable_ns;
	stats->blocked_ns += weight * call->blocked_ns;
	call_stats_add_longest(stats, call->total_ns, frame->entered.total_ns);
	call_stats_count_bucket(stats, call->total_ns, weight);
}

/* Adds what a call stands for, and what in it was in calls that were seen. */
static __always_inline void library_add(struct scaler_call_stats *stats, const struct library_frame *frame,
					const struct scaler_times *call, enum library_end end)
{
	u64 weight = frame->window_weight ?: 1;

	stats->inner.total_ns += weight * frame->inner.total_ns;
	stats->inner.runnable_ns += weight * frame->inner.runnable_ns;
	stats->inner.blocked_ns += weight * frame->inner.blocked_ns;
	if (!frame->window_weight && end == LIBRARY_RETURNED)
		call_stats_add(stats, call, frame->entered.total_ns);
	else if (!frame->window_weight)
		call_stats_add_partial(stats, call);
	else if (end == LIBRARY_RETURNED)
		library_add_sampled(stats, frame, call);
	else
		library_count_untimed(stats, frame->window_weight, frame->window_group);
}

/* In a call that stands for fewer than one made from it, there were more of these, which were missed. */
static __always_inline void library_tell_caller_row(const struct task_state *state,
						    const struct library_frame *caller,
						    const struct library_frame *frame,
						    const struct scaler_times *call)
{
	u64 weight = frame->window_weight, of_caller = caller->window_weight ?: 1;
	struct scaler_call_stats *stats;

	if (weight <= of_caller)
		return;
	stats = library_row(state, caller->context, caller->row);
	if (!stats)
		return;
	stats->inner.total_ns += (weight - of_caller) * call->total_ns;
	stats->inner.runnable_ns += (weight - of_caller) * call->runnable_ns;
	stats->inner.blocked_ns += (weight - of_caller) * call->blocked_ns;
}

#endif
