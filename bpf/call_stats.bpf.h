/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds calls to the figures of their row. */
#ifndef SCALER_CALL_STATS_BPF_H
#define SCALER_CALL_STATS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/record.h>

/* Global, so that the verifier follows its many ways once, and not once for each way that leads here. */
__weak __noinline u32 duration_bucket(u64 duration_ns)
{
	return scaler_bucket(duration_ns);
}

static __always_inline void call_stats_count_bucket(struct scaler_call_stats *stats, u64 total_ns, u32 weight)
{
	u64 bucket = duration_bucket(total_ns);

	barrier_var(bucket); /* the check must be on the register that indexes */
	if (bucket < SCALER_BUCKETS)
		stats->buckets[bucket] =
			stats->buckets[bucket] < ~0U - weight ? stats->buckets[bucket] + weight : ~0U;
}

static __always_inline void call_stats_add_longest(struct scaler_call_stats *stats, u64 total_ns,
						   u64 enter_ns)
{
	if (total_ns > stats->max_ns) {
		stats->max_ns = total_ns;
		stats->max_start_ns = enter_ns;
	}
}

static __always_inline void call_stats_add(struct scaler_call_stats *stats, const struct scaler_times *call,
					   u64 enter_ns)
{
	stats->count++;
	stats->total_ns += call->total_ns;
	stats->runnable_ns += call->runnable_ns;
	stats->blocked_ns += call->blocked_ns;
	call_stats_add_longest(stats, call->total_ns, enter_ns);
	call_stats_count_bucket(stats, call->total_ns, 1);
}

/* A call that was cut short in our view: what of it lies within the recording. */
static __always_inline void call_stats_add_partial(struct scaler_call_stats *stats,
						   const struct scaler_times *call)
{
	stats->partial.count++;
	stats->partial.total_ns += call->total_ns;
	stats->partial.runnable_ns += call->runnable_ns;
	stats->partial.blocked_ns += call->blocked_ns;
}

#endif
