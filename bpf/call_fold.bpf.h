/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread's call, or what is known of it, goes into the row that it belongs to. */
#ifndef SCALER_CALL_FOLD_BPF_H
#define SCALER_CALL_FOLD_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include "call_rows.bpf.h"
#include "call_stats.bpf.h"
#include "maps.bpf.h"

#define ERRNO_LIMIT 4095 /* include/linux/err.h: MAX_ERRNO */

/* Of the call that a thread is in, up to now. */
static __always_inline struct scaler_times call_times(const struct scaler_thread *thread, u64 now_ns)
{
	const struct scaler_open_call *call = &thread->call;

	return (struct scaler_times){
		.total_ns = now_ns - call->enter_ns,
		.runnable_ns = thread->time_ns[SCALER_RUNNABLE] - call->runnable_ns,
		.blocked_ns = thread->time_ns[SCALER_BLOCKED] - call->blocked_ns,
	};
}

static __noinline void error_count(const struct scaler_call_key *call, long result, u64 weight)
{
	struct scaler_error_key key = { .call = *call, .code = -result };
	u64 *count = bpf_map_lookup_elem(&error_fold, &key);

	if (count)
		*count += weight;
	else if (bpf_map_update_elem(&error_fold, &key, &weight, BPF_NOEXIST))
		loss_count(SCALER_LOSS_ERROR_MAP);
	else
		row_count(SCALER_ROWS_ERRORS);
}

/* How often the thread was off its CPU in its call. */
static __always_inline u32 call_sleeps(const struct scaler_thread *thread)
{
	return (u32)(thread->voluntary + thread->involuntary) - thread->call.switches;
}

/* What one that ends counts: in a window as many as that stands for, if nothing else tells of it. */
static __always_inline u32 call_weight(const struct scaler_thread *thread)
{
	return call_sleeps(thread) ? 1 : scaler_window_weight(thread->call.window);
}

/* The part of one that is sampled. */
static __always_inline void call_stats_add_sampled(struct scaler_call_stats *stats,
						   const struct scaler_thread *thread, u64 running_ns)
{
	const struct scaler_open_call *call = &thread->call;
	u64 weight = scaler_window_weight(call->window), group = scaler_window_group(call->window);

	barrier_var(group); /* the check must be on the register that indexes */
	if (group >= SCALER_WINDOW_GROUPS)
		return;
	stats->sampled[group].running_ns += running_ns * weight;
	if (call->part != SCALER_CALL_WHOLE)
		return;
	if (call_sleeps(thread))
		stats->count++;
	else
		stats->sampled[group].count += weight;
}

static __always_inline void call_stats_add_weighted(struct scaler_call_stats *stats,
						    const struct scaler_thread *thread,
						    const struct scaler_times *times, u64 now_ns)
{
	const struct scaler_open_call *call = &thread->call;
	u64 off_cpu_ns = times->runnable_ns + times->blocked_ns;
	u64 running_ns = times->total_ns > off_cpu_ns ? times->total_ns - off_cpu_ns : 0;

	running_ns = scaler_call_running_in_window(call, &call_window, running_ns, thread->since_ns, now_ns);
	call_stats_add_sampled(stats, thread, running_ns);
	stats->total_ns += off_cpu_ns;
	stats->runnable_ns += times->runnable_ns;
	stats->blocked_ns += times->blocked_ns;
	stats->parts += call->part != SCALER_CALL_WHOLE;
	stats->unseen_sleeps += call->part == SCALER_CALL_SLEEP;
	call_stats_add_longest(stats, times->total_ns, call->enter_ns);
	if (call->part != SCALER_CALL_LEFT_OVER)
		call_stats_count_bucket(stats, times->total_ns,
					call->part == SCALER_CALL_SLEEP ? 1 : call_weight(thread));
}

/* Whether it was under way when the recording began: what came before does not count. */
static __always_inline bool call_began_before(const struct scaler_thread *thread)
{
	return thread->call.enter_ns < window.start_ns;
}

/* The thread's call, as the row of key counts it, up to now. */
static __always_inline void call_fold_add(struct task_state *state, long result, u64 now_ns)
{
	struct scaler_thread *thread = &state->thread;
	struct scaler_times times = call_times(thread, now_ns);
	struct scaler_call_stats *stats;
	struct scaler_call_key key;
	u32 weight;

	key.site = thread->call.site;
	key.task = thread->serial;
	key.id = thread->call.id;
	key.stack = thread->call.stack;
	key.context = thread->call.context;
	stats = call_row_get(state, &key);
	if (!stats)
		return;
	if (call_began_before(thread)) {
		u64 begin_ns = thread->start_ns;

		thread->calls++;
		times.total_ns = now_ns - (begin_ns < window.start_ns ? window.start_ns : begin_ns);
		call_stats_add_partial(stats, &times);
		return;
	}
	weight = thread->call.part == SCALER_CALL_WHOLE ? call_weight(thread) : 1;
	thread->calls += weight;
	if (thread->call.part != SCALER_CALL_WHOLE || scaler_window_weight(thread->call.window) > 1)
		call_stats_add_weighted(stats, thread, &times, now_ns);
	else
		call_stats_add(stats, &times, thread->call.enter_ns);
	if (thread->call.part != SCALER_CALL_WHOLE)
		return;
	if (call_sleeps(thread)) {
		stats->slept++;
		stats->sleeps += call_sleeps(thread);
	}
	if (result < 0 && result >= -ERRNO_LIMIT) {
		stats->errors += weight;
		error_count(&key, result, weight);
	}
}

#endif
