/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has had a CPU that a thread was ready for. Many may have had it in turn, of whom the last one says little: told is
 * the one that ran for the longest at a stretch. For each CPU the recent stretches are kept of which each is longer than
 * all that came after it; no other can be the longest of those since some time. (The maximum of a sliding window by a
 * monotonic queue.)
 */
#ifndef SCALER_CPU_HOLDER_BPF_H
#define SCALER_CPU_HOLDER_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/blocking.h>
#include "scratch.bpf.h"

#define STRETCHES 8 /* a power of two; of so many in a row each is rarely shorter than the one before it */

struct cpu_stretch {
	u64 start_ns;
	u64 end_ns;
	char comm[SCALER_COMM_SIZE];
};

struct cpu_holders {
	u64 since_ns; /* when the one that runs now was switched in; 0: not known */
	u32 pid; /* whom the last switch switched in; another one is switched out after one that was missed */
	u32 first; /* of the stretches: the longest and oldest */
	u32 count;
	u32 zero;
	struct cpu_stretch stretches[STRETCHES];
};

SCRATCHES(cpu_holders, struct cpu_holders, 1);

static __always_inline struct cpu_holders *cpu_holders_get(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&cpu_holders, &zero);
}

static __always_inline struct cpu_stretch *cpu_stretch_at(struct cpu_holders *holders, u32 i)
{
	return &holders->stretches[(holders->first + i) % STRETCHES];
}

static __always_inline void cpu_stretch_add(struct cpu_holders *holders, struct task_struct *task,
					    u64 start_ns, u64 end_ns)
{
	struct cpu_stretch *stretch;

	for (int i = 0; i < STRETCHES && holders->count; i++) {
		stretch = cpu_stretch_at(holders, holders->count - 1);
		if (stretch->end_ns - stretch->start_ns > end_ns - start_ns)
			break;
		holders->count--;
	}
	if (holders->count == STRETCHES) {
		holders->first++;
		holders->count--;
	}
	stretch = cpu_stretch_at(holders, holders->count++);
	stretch->start_ns = start_ns;
	stretch->end_ns = end_ns;
	/* The idle task's name would be taken for a program's. */
	if (task->pid)
		__builtin_memcpy(stretch->comm, task->comm, sizeof(stretch->comm));
	else
		__builtin_memset(stretch->comm, 0, sizeof(stretch->comm));
}

/* The CPU goes from one task to another: at every switch, whether these are traced or not. */
static __always_inline void cpu_switched(struct task_struct *out, struct task_struct *in, u64 now_ns)
{
	struct cpu_holders *holders = cpu_holders_get();

	if (!holders)
		return;
	if (!holders->since_ns || holders->pid != (u32)out->pid) {
		holders->count = 0;
		holders->since_ns = now_ns;
	}
	cpu_stretch_add(holders, out, holders->since_ns, now_ns);
	holders->since_ns = now_ns;
	holders->pid = in->pid;
}

/* The name of who has had this CPU for the longest at a stretch since that time; zeros: nobody, or it is not known. */
static __always_inline void cpu_holder_read(char *comm, u64 since_ns)
{
	struct cpu_holders *holders = cpu_holders_get();
	const struct cpu_stretch *stretch, *longest = NULL;
	u64 longest_ns = 0, begin_ns;

	for (u32 i = 0; holders && i < STRETCHES && i < holders->count; i++) {
		stretch = cpu_stretch_at(holders, i);
		if (stretch->end_ns <= since_ns)
			continue;
		begin_ns = stretch->start_ns < since_ns ? since_ns : stretch->start_ns;
		if (stretch->end_ns - begin_ns <= longest_ns)
			break; /* all others are shorter yet */
		longest_ns = stretch->end_ns - begin_ns;
		longest = stretch;
	}
	if (longest)
		__builtin_memcpy(comm, longest->comm, sizeof(longest->comm));
	else
		__builtin_memset(comm, 0, sizeof(longest->comm));
}

#endif
