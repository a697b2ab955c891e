/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code of a file that its program has moved to anonymous memory, at its own address: to have it in huge pages (node
 * --use-largepages, databases). What is left of the file's mappings lies on both sides of it, without a gap.
 */
#ifndef SCALER_MOVED_CODE_BPF_H
#define SCALER_MOVED_CODE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "mapping.bpf.h"

#define VM_EXEC 4 /* include/linux/mm.h */

/* Set by user space before loading: vm_pgoff counts pages. */
const volatile __u32 page_shift __weak = 12;

struct moved_code {
	u64 neighbour; /* a struct vm_area_struct of the file; 0: the code is no file's */
	u64 offset;    /* in the file, of the mapping's start */
};

static __always_inline u64 mapping_file_offset(struct vm_area_struct *mapping)
{
	return (u64)BPF_CORE_READ(mapping, vm_pgoff) << page_shift;
}

/*
 * Where that code lies in the file. Where all of a file's code has been moved, what comes before it is the file's beginning:
 * linkers put the code on a page of its own in the file, too (GNU ld), or behind that on the same page (lld), as what comes
 * after tells, where that is mapped again.
 */
static __always_inline u64 moved_offset(struct vm_area_struct *before, struct vm_area_struct *code,
					struct vm_area_struct *after)
{
	u64 offset =
		mapping_file_offset(before) + BPF_CORE_READ(before, vm_end) - BPF_CORE_READ(before, vm_start);
	u64 end = offset + BPF_CORE_READ(code, vm_end) - BPF_CORE_READ(code, vm_start);

	if (BPF_CORE_READ(before, vm_flags) & VM_EXEC)
		return offset;
	if (BPF_CORE_READ(after, vm_flags) & VM_EXEC)
		return offset + mapping_file_offset(after) - end;
	return mapping_file_offset(after) < end ? offset - (1ULL << page_shift) : offset;
}

/* Whose file the code of a mapping belongs to, if that is anonymous. The walk is its own then. */
static __always_inline void moved_code_find(struct task_struct *task, struct vm_area_struct *code,
					    struct maple_walk *walk, struct moved_code *found)
{
	struct vm_area_struct *before, *after;

	found->neighbour = 0;
	if (!kernel_has_mapping_tree() || BPF_CORE_READ(code, vm_file) ||
	    !(BPF_CORE_READ(code, vm_flags) & VM_EXEC))
		return;
	before = maple_find(walk, task, BPF_CORE_READ(code, vm_start) - 1);
	after = maple_find(walk, task, BPF_CORE_READ(code, vm_end));
	if (!before || !after || !BPF_CORE_READ(before, vm_file) ||
	    BPF_CORE_READ(before, vm_file, f_inode) != BPF_CORE_READ(after, vm_file, f_inode))
		return;
	found->offset = moved_offset(before, code, after);
	found->neighbour = (u64)before;
}

#endif
