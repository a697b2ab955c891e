/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What probes on library functions cost the program, and a first bound on it: a function whose probes alone take more
 * than their share of a CPU's time is noticed here, within a few thousand hits, and recorded no more. User space then
 * takes its probes out. A short burst is no reason: each function may run up so much beyond its share.
 */
#ifndef SCALER_LIBRARY_BUDGET_BPF_H
#define SCALER_LIBRARY_BUDGET_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/library.h>
#include "maps.bpf.h"

/* By function: what both sides know of it. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* user space gives it as many as there are functions, and one */
	__type(key, u32);
	__type(value, struct scaler_function);
} library_functions SEC(".maps");

/* By CPU, and each CPU's by function: so many rows as there are functions, and one. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct scaler_function_cost);
} library_costs SEC(".maps");

/* The numbers of functions that have just been found to cost too much. One that has no room is found by the next look. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} library_alerts SEC(".maps");

/* Set by user space before loading. */
const volatile __u32 library_function_count;
/* Of a CPU's time that a function's probes may take, 0: as much as they need; and what they may run up beyond it. */
const volatile __u32 library_share;
const volatile __u64 library_burst_ns;
#define LIBRARY_SHARE_ONE 1024

/* Every so many hits the program's own time is taken, and the costs are looked at: powers of two. */
#define LIBRARY_TIMED_HITS   64
#define LIBRARY_CHECKED_HITS 256

/* A hit, while its program runs. */
struct library_hit {
	struct scaler_function *function;
	struct scaler_function_cost *cost;
	u32 number;
	u64 timed_from_ns; /* 0: it is not timed */
};

static __noinline int library_check_cost(struct scaler_function *function, struct scaler_function_cost *cost,
					 u32 number)
{
	u64 now_ns, spent_ns, fresh_ns, earned_ns;

	if (!function || !cost)
		return 0;
	now_ns = bpf_ktime_get_ns();
	spent_ns = cost->spent_ns;
	fresh_ns = cost->overrun_ns + (spent_ns - cost->seen_ns);
	earned_ns = (now_ns - cost->checked_ns) / LIBRARY_SHARE_ONE * library_share;
	cost->overrun_ns = fresh_ns > earned_ns ? fresh_ns - earned_ns : 0;
	cost->seen_ns = spent_ns;
	cost->checked_ns = now_ns;
	if (cost->overrun_ns < library_burst_ns)
		return 0;
	if (!function->unhooked_ns)
		function->unhooked_ns = now_ns;
	bpf_ringbuf_output(&library_alerts, &number, sizeof(number), 0);
	return 0;
}

static __always_inline struct scaler_function_cost *library_cost(u32 number)
{
	u32 row = bpf_get_smp_processor_id() * (library_function_count + 1) + number;

	return bpf_map_lookup_elem(&library_costs, &row);
}

/*
 * While links are replaced all have probes, and the programs of newer links run first: the kernel has new consumers
 * of a probe at the head of its list (consumer_add() in kernel/events/uprobes.c). So the newest one records from its
 * first hit on, and leaves word for the older ones, which the thread runs next. Who is recorded is thus decided at each
 * hit by itself, and no hit is without: not one that found an older link alone, and not one in which that is taken off.
 */
static __always_inline bool library_hit_is_recorded(u64 cookie)
{
	struct task_state *state = task_state_find(bpf_get_current_task_btf());
	bool is_recorded;

	if (!state)
		return true;
	is_recorded = (u32)state->recorded_cookie != (u32)cookie || state->recorded_cookie <= cookie;
	if (is_recorded)
		state->recorded_cookie = cookie;
	return is_recorded;
}

/* A probe is hit at its function's entry. Returns whether it is to be recorded. */
static __always_inline bool library_hit_begin(struct library_hit *hit, u64 cookie)
{
	u32 number = hit->number = (u32)cookie;

	hit->function = bpf_map_lookup_elem(&library_functions, &number);
	hit->cost = library_cost(number);
	if (!hit->function || !hit->cost)
		return false;
	if (hit->function->is_relinked && !library_hit_is_recorded(cookie))
		return false;
	hit->cost->entries++;
	hit->cost->spent_ns += hit->function->entry_ns;
	if (library_share && !(hit->cost->entries % LIBRARY_CHECKED_HITS))
		library_check_cost(hit->function, hit->cost, number);
	if (!(hit->cost->entries % LIBRARY_TIMED_HITS))
		hit->timed_from_ns = bpf_ktime_get_ns();
	return !hit->function->unhooked_ns;
}

/* The same at its return, which is recorded in any case. */
static __always_inline void library_hit_begin_return(struct library_hit *hit, u64 cookie)
{
	u32 number = hit->number = (u32)cookie;

	hit->function = bpf_map_lookup_elem(&library_functions, &number);
	hit->cost = library_cost(number);
	if (!hit->function || !hit->cost)
		return;
	hit->cost->returns++;
	hit->cost->spent_ns += hit->function->return_ns;
	if (!(hit->cost->returns % LIBRARY_TIMED_HITS))
		hit->timed_from_ns = bpf_ktime_get_ns();
}

/* The same at one of its exits, which others may leave by, too. */
static __always_inline void library_hit_begin_exit(struct library_hit *hit, u64 cookie)
{
	library_hit_begin_return(hit, cookie);
	if (hit->cost && library_share && !(hit->cost->returns % LIBRARY_CHECKED_HITS))
		library_check_cost(hit->function, hit->cost, hit->number);
}

static __always_inline void library_hit_end(const struct library_hit *hit)
{
	if (hit->cost && hit->timed_from_ns)
		hit->cost->spent_ns += (bpf_ktime_get_ns() - hit->timed_from_ns) * LIBRARY_TIMED_HITS;
}

#endif
