/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What probes on library functions cost the program, and a first bound on it: where they take more than their share of a
 * CPU's time, and have run up more than a short burst beyond it, that is noticed here, within some hundred hits. User space
 * then takes out those that cost most.
 */
#ifndef SCALER_LIBRARY_BUDGET_BPF_H
#define SCALER_LIBRARY_BUDGET_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/library.h>
#include "cost.bpf.h"
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

/* Something is put in when probes cost too much. Without room for it, user space has not yet looked. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} library_alerts SEC(".maps");

/* Set by user space before loading. */
const volatile __u32 library_function_count;
/* Of a CPU's time that probes may take, 0: as much as they need. */
const volatile __u32 library_share;
/* What they may run up beyond it before user space wants to know: less once it has been too much. Set by user space. */
__u64 library_burst_ns;
#define LIBRARY_SHARE_ONE 1024

/* Every so many hits the program's own time is taken, and the costs are looked at: powers of two. */
#define LIBRARY_TIMED_HITS   64
#define LIBRARY_CHECKED_HITS 128

/* A hit, while its program runs. */
struct library_hit {
	struct scaler_function *function;
	struct scaler_function_cost *cost;
	struct scaler_cpu_cost *cpu;
	u32 number;
	u32 window_weight; /* 0: the call stands for itself */
	u32 window_group;
	u64 timed_from_ns; /* 0: it is not timed */
};

static __noinline int library_check_cost(struct scaler_cpu_cost *cpu)
{
	u64 now_ns, spent_ns, fresh_ns, earned_ns;
	u32 zero = 0;

	if (!cpu)
		return 0;
	now_ns = bpf_ktime_get_ns();
	spent_ns = cpu->of[SCALER_COST_PROBES].spent_ns;
	fresh_ns = cpu->probes_overrun_ns + (spent_ns - cpu->probes_seen_ns);
	earned_ns = (now_ns - cpu->probes_checked_ns) / LIBRARY_SHARE_ONE * library_share;
	cpu->probes_overrun_ns = fresh_ns > earned_ns ? fresh_ns - earned_ns : 0;
	cpu->probes_seen_ns = spent_ns;
	cpu->probes_checked_ns = now_ns;
	if (cpu->probes_overrun_ns < library_burst_ns)
		return 0;
	/* The next alert comes when user space has not done enough by as much again. */
	cpu->probes_overrun_ns = 0;
	bpf_ringbuf_output(&library_alerts, &zero, sizeof(zero), 0);
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

static __always_inline bool library_hit_find(struct library_hit *hit, u64 cookie)
{
	u32 number = hit->number = (u32)cookie & SCALER_COOKIE_NUMBER;

	hit->function = bpf_map_lookup_elem(&library_functions, &number);
	hit->cost = library_cost(number);
	hit->cpu = cpu_cost();
	return hit->function && hit->cost && hit->cpu;
}

/* It costs so much besides its program. */
static __always_inline void library_hit_spend(const struct library_hit *hit, u64 cost_ns)
{
	struct scaler_cost *probes = &hit->cpu->of[SCALER_COST_PROBES];

	hit->cost->spent_ns += cost_ns;
	probes->spent_ns += cost_ns;
	if (!(++probes->hits % LIBRARY_CHECKED_HITS) && library_share)
		library_check_cost(hit->cpu);
}

/* A probe is hit at its function's entry. Returns whether it is to be recorded. */
static __always_inline bool library_hit_begin(struct library_hit *hit, u64 cookie)
{
	if (!library_hit_find(hit, cookie))
		return false;
	if (hit->function->is_relinked && !library_hit_is_recorded(cookie))
		return false;
	hit->cost->entries++;
	library_hit_spend(hit, hit->function->entry_ns);
	if (!(hit->cost->entries % LIBRARY_TIMED_HITS))
		hit->timed_from_ns = bpf_ktime_get_ns();
	if (cookie & SCALER_COOKIE_SCREENS)
		return false;
	if (!hit->function->unhooked_ns)
		return true;
	hit->window_group = *(volatile u32 *)&hit->function->window_group;
	hit->window_weight = *(volatile u32 *)&hit->function->window_weight;
	return hit->window_weight;
}

/* The same at an exit, which is recorded in any case. */
static __always_inline void library_hit_begin_exit(struct library_hit *hit, u64 cookie)
{
	if (!library_hit_find(hit, cookie))
		return;
	hit->cost->exits++;
	library_hit_spend(hit, hit->function->exit_ns);
	if (!(hit->cost->exits % LIBRARY_TIMED_HITS))
		hit->timed_from_ns = bpf_ktime_get_ns();
}

static __always_inline void library_hit_end(const struct library_hit *hit)
{
	u64 spent_ns;

	if (!hit->cost || !hit->cpu || !hit->timed_from_ns)
		return;
	spent_ns = bpf_ktime_get_ns() - hit->timed_from_ns;
	spent_ns *= spent_ns < COST_RARE_NS ? LIBRARY_TIMED_HITS : 1;
	hit->cost->spent_ns += spent_ns;
	hit->cpu->of[SCALER_COST_PROBES].spent_ns += spent_ns;
}

#endif
