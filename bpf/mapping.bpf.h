/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mappings by the kernel's tree of them, read like the kernel's own readers under RCU read it (lib/maple_tree.c:
 * mtree_range_walk): the one around an address while other threads hold the address space's lock, which in a program
 * with many threads that come and go is taken nearly all the time; and all of them.
 */
#ifndef SCALER_MAPPING_BPF_H
#define SCALER_MAPPING_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "compat.bpf.h"

/* include/linux/maple_tree.h: nodes are aligned, and the lower bits of a pointer to one tell its type. */
#define MAPLE_NODE_MASK   255ULL
#define MAPLE_TYPE_SHIFT  3
#define MAPLE_TYPE_MASK   15
#define MAPLE_TYPE_LEAF   1 /* of struct maple_range_64; its slots are mappings */
#define MAPLE_TYPE_RANGE  2
#define MAPLE_TYPE_ARANGE 3
#define MAPLE_STEPS       256 /* more than it takes: a node has 5 to 16 children */

/* Before 6.1 (commit d4af56c5c7c6, "mm: start tracking VMAs with maple tree") there is no such tree. */
static __always_inline bool kernel_has_mapping_tree(void)
{
	return bpf_core_field_exists(struct mm_struct, mm_mt) && bpf_core_type_exists(struct maple_arange_64);
}

/* To the address's own mapping, or gap between mappings. */
struct maple_walk {
	u64 address;
	u64 node; /* with its type; at a leaf's slot what this has: a mapping or nothing */
	u64 slot;
	u64 last; /* the last address of the node; of the leaf's slot */
};

/* What the verifier does not know: else it would follow the first steps one by one. */
static volatile u64 maple_zero;
static volatile u64 maple_all = ~0ULL;

static __always_inline void maple_begin(struct maple_walk *walk, struct task_struct *task)
{
	walk->node = (u64)BPF_CORE_READ(task, mm, mm_mt.ma_root);
	walk->slot = maple_zero;
	walk->last = maple_all;
}

/* Goes on to the next slot or down to a node. True: there is no further, as walk->node is what a leaf's slot has. */
static __always_inline bool maple_step(struct maple_walk *walk)
{
	u64 node = walk->node & ~MAPLE_NODE_MASK, type = walk->node >> MAPLE_TYPE_SHIFT & MAPLE_TYPE_MASK;
	const struct maple_range_64 *range = (void *)node;
	const struct maple_arange_64 *arange = (void *)node;
	u64 at = walk->slot * sizeof(u64), pivots, size, slots, last = walk->last, pivot;

	if (!node || type < MAPLE_TYPE_LEAF || type > MAPLE_TYPE_ARANGE) {
		walk->node = 0;
		return true;
	}
	if (type == MAPLE_TYPE_ARANGE) {
		pivots = bpf_core_field_offset(arange->pivot);
		size = bpf_core_field_size(arange->pivot);
		slots = bpf_core_field_offset(arange->slot);
	} else {
		pivots = bpf_core_field_offset(range->pivot);
		size = bpf_core_field_size(range->pivot);
		slots = bpf_core_field_offset(range->slot);
	}
	/* A pivot is the last address of its slot. The last slot has none, and behind the last that is used they are 0. */
	if (at < size && !bpf_probe_read_kernel(&pivot, sizeof(pivot), (void *)(node + pivots + at)) &&
	    (pivot || !at)) {
		if (pivot < walk->address) {
			walk->slot++;
			return false;
		}
		last = pivot;
	}
	if (type != MAPLE_TYPE_LEAF)
		walk->slot = maple_zero;
	walk->last = last;
	if (bpf_probe_read_kernel(&walk->node, sizeof(walk->node), (void *)(node + slots + at)))
		walk->node = 0;
	return type == MAPLE_TYPE_LEAF;
}

/* The mapping that has been got to, for BPF_CORE_READ(); NULL: none is there. */
static __always_inline struct vm_area_struct *maple_mapping(const struct maple_walk *walk,
							    struct task_struct *task)
{
	struct vm_area_struct *mapping = (void *)walk->node;

	/* The tree may have changed as it was read, and the mapping's memory be another process's. */
	if (walk->address < BPF_CORE_READ(mapping, vm_start) ||
	    walk->address >= BPF_CORE_READ(mapping, vm_end) ||
	    (u64)BPF_CORE_READ(mapping, vm_mm) != task_address_space(task))
		return NULL;
	return mapping;
}

/* A loop's context is on the stack. */
struct maple_loop {
	struct maple_walk *walk;
};

static long maple_walk_down(u32 index, void *loop)
{
	return maple_step(((struct maple_loop *)loop)->walk);
}

/* Global, so that the verifier looks at the loop once a program, and not at every place that calls it. */
__weak __noinline int maple_go_down(struct maple_walk *walk)
{
	struct maple_loop loop = { walk };

	if (walk)
		bpf_loop(MAPLE_STEPS, maple_walk_down, &loop, 0);
	return 0;
}

/* By a walk of the caller's, which it begins anew. */
static __always_inline struct vm_area_struct *maple_find(struct maple_walk *walk, struct task_struct *task,
							 u64 address)
{
	walk->address = address;
	maple_begin(walk, task);
	maple_go_down(walk);
	return maple_mapping(walk, task);
}

static __noinline struct vm_area_struct *mapping_find(struct task_struct *task, u64 address)
{
	struct maple_walk walk = {};

	return maple_find(&walk, task, address);
}

#endif
