/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mapping around an address, while other threads hold the address space's lock: by the kernel's tree of mappings,
 * read like the kernel's own readers under RCU read it (lib/maple_tree.c: mtree_range_walk). A program with many
 * threads that come and go has that lock taken nearly all the time.
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
#define MAPLE_PIVOTS      15
#define MAPLE_DEPTH       16 /* more than any has: a node has at least 5 children */

/* Before 6.1 (commit d4af56c5c7c6, "mm: start tracking VMAs with maple tree") there is no such tree. */
static __always_inline bool kernel_has_mapping_tree(void)
{
	return bpf_core_field_exists(struct mm_struct, mm_mt) && bpf_core_type_exists(struct maple_arange_64);
}

struct maple_walk {
	u64 address;
	u64 node; /* with its type; at last the mapping */
};

/* The slot of a node that an address belongs to; each pivot is the last address of its slot. */
static __always_inline u64 maple_node_slot(u64 node, u64 type, u64 address)
{
	const struct maple_range_64 *range = (void *)(node & ~MAPLE_NODE_MASK);
	const struct maple_arange_64 *arange = (void *)(node & ~MAPLE_NODE_MASK);
	u64 pivots[MAPLE_PIVOTS] = {}, slot = 0, slots;
	u64 index;

	if (type == MAPLE_TYPE_ARANGE)
		bpf_core_read(pivots, sizeof(arange->pivot), &arange->pivot);
	else
		bpf_core_read(pivots, sizeof(range->pivot), &range->pivot);
	/* Behind the last that is used they are 0. */
	for (index = 0; index < MAPLE_PIVOTS; index++) {
		if (pivots[index] >= address || (index && !pivots[index]))
			break;
	}
	slots = type == MAPLE_TYPE_ARANGE ? bpf_core_field_offset(arange->slot) :
					    bpf_core_field_offset(range->slot);
	bpf_probe_read_kernel(&slot, sizeof(slot),
			      (void *)((node & ~MAPLE_NODE_MASK) + slots + index * sizeof(slot)));
	return slot;
}

static long maple_walk_down(u32 depth, void *data)
{
	struct maple_walk *walk = data;
	u64 type = walk->node >> MAPLE_TYPE_SHIFT & MAPLE_TYPE_MASK;

	if (walk->node <= MAPLE_NODE_MASK || type < MAPLE_TYPE_LEAF || type > MAPLE_TYPE_ARANGE) {
		walk->node = 0;
		return 1;
	}
	walk->node = maple_node_slot(walk->node, type, walk->address);
	return type == MAPLE_TYPE_LEAF;
}

/* For BPF_CORE_READ(); NULL: none is there. */
static __noinline struct vm_area_struct *mapping_find(struct task_struct *task, u64 address)
{
	struct maple_walk walk = { address, (u64)BPF_CORE_READ(task, mm, mm_mt.ma_root) };
	struct vm_area_struct *mapping;

	bpf_loop(MAPLE_DEPTH, maple_walk_down, &walk, 0);
	mapping = (void *)walk.node;
	/* The tree may have changed as it was read, and the mapping's memory be another process's. */
	if (address < BPF_CORE_READ(mapping, vm_start) || address >= BPF_CORE_READ(mapping, vm_end) ||
	    (u64)BPF_CORE_READ(mapping, vm_mm) != task_address_space(task))
		return NULL;
	return mapping;
}

#endif
