/* SPDX-License-Identifier: GPL-2.0-only */
/* What the programs here cost the threads that they run in. */
#ifndef SCALER_COST_BPF_H
#define SCALER_COST_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/cost.h>

/* By CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* user space gives it as many as there are CPUs */
	__type(key, u32);
	__type(value, struct scaler_cpu_cost);
} cpu_costs __weak SEC(".maps");

static __always_inline struct scaler_cpu_cost *cpu_cost(void)
{
	u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&cpu_costs, &cpu);
}

/* A program begins, which another of its kind does not interrupt. */
static __always_inline void cost_begin(const enum scaler_cost_kind kind)
{
	struct scaler_cpu_cost *cpu = cpu_cost();

	if (cpu && ++cpu->of[kind].hits >= cpu->of[kind].timed_hit)
		cpu->of[kind].timed_from_ns = bpf_ktime_get_ns();
}

/* What takes longer than this, in which a virtual machine was stopped, say, stands for itself alone. */
#define COST_RARE_NS 200000

static __noinline int cost_note(struct scaler_cost *cost)
{
	u64 end_ns = bpf_ktime_get_ns(), took_ns, clock_ns;

	if (!cost)
		return 0;
	took_ns = end_ns - cost->timed_from_ns;
	/* Less what it takes to read the clock. */
	clock_ns = bpf_ktime_get_ns() - end_ns;
	took_ns = took_ns > clock_ns ? took_ns - clock_ns : 0;
	cost->spent_ns += took_ns < COST_RARE_NS ? took_ns * cost->stands_for : took_ns;
	cost->stands_for = 1 + bpf_get_prandom_u32() % (2 * SCALER_COST_TIMED_HITS - 1);
	cost->timed_hit = cost->hits + cost->stands_for;
	cost->timed_from_ns = 0;
	return 0;
}

static __always_inline void cost_end(const enum scaler_cost_kind kind)
{
	struct scaler_cpu_cost *cpu = cpu_cost();

	if (cpu && cpu->of[kind].timed_from_ns)
		cost_note(&cpu->of[kind]);
}

/* A switch, after which none or another traced thread runs on this CPU; ran_ns: what the one before has run. */
static __always_inline void cost_switch(u64 ran_ns, bool runs, u64 now_ns)
{
	struct scaler_cpu_cost *cpu = cpu_cost();

	if (!cpu)
		return;
	cpu->running_ns += ran_ns;
	cpu->running_since_ns = runs ? now_ns : 0;
}

#endif
