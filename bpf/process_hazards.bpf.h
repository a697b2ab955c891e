/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What may happen in a process by the files that it has mapped. Part of stack.bpf.c, as is all that lists mappings.
 */
#ifndef SCALER_PROCESS_HAZARDS_BPF_H
#define SCALER_PROCESS_HAZARDS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/library.h>
#include <scaler/return_hazard.h>
#include "compat.bpf.h"
#include "component.bpf.h"
#include "events.bpf.h"
#include "hash_map.bpf.h"
#include "return_safety.bpf.h"
#include "site.bpf.h"

/* What the code of files may do: enum scaler_ability, which user space fills in. */
HASH_MAP(65536, struct scaler_file_key, u32) file_abilities SEC(".maps");

/* The numbers of components that it is to look at. One that has no room comes again. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} file_alerts SEC(".maps");

/* The abilities of what is mapped there, if it is code; its pages are added as the kernel counts them. */
static __noinline u32 mapping_abilities(struct task_struct *task, struct vm_area_struct *vma, u64 *pages)
{
	u64 flags = BPF_CORE_READ(vma, vm_flags);
	struct file *file = BPF_CORE_READ(vma, vm_file);
	struct scaler_component_key component = {};
	struct scaler_file_key key = {};
	struct inode *inode;
	u32 *known, number;

	if (!pages || !(flags & VM_EXEC))
		return 0;
	if (!(flags & (VM_WRITE | VM_GROWSDOWN)))
		*pages += (BPF_CORE_READ(vma, vm_end) - BPF_CORE_READ(vma, vm_start)) >> page_shift;
	if (!file)
		return 0;
	inode = BPF_CORE_READ(file, f_inode);
	component_key_of_file(&component, inode);
	key.inode = component.inode;
	key.device = component.device;
	known = bpf_map_lookup_elem(&file_abilities, &key);
	if (known)
		return *known;
	number = component_number(&component, task, vma, is_executed(task, inode));
	if (number)
		bpf_ringbuf_output(&file_alerts, &number, sizeof(number), 0);
	return SCALER_IS_NEW;
}

/* A list that passes over mappings which are locked just then is none. */
u32 process_hazards_find(u64 code_pages)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct bpf_iter_task_vma iterator;
	struct vm_area_struct *vma;
	u32 abilities = 0;
	u64 pages = 0;

	if (!kernel_lists_mappings())
		return SCALER_RETURN_UNKNOWN;
	bpf_iter_task_vma_new(&iterator, task, 0);
	while ((vma = bpf_iter_task_vma_next(&iterator)))
		abilities |= mapping_abilities(task, vma, &pages);
	bpf_iter_task_vma_destroy(&iterator);
	return scaler_return_hazards(pages < code_pages ? abilities | SCALER_IS_NEW : abilities);
}

#endif
