/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the current task issues a system call: which component its instruction pointer lies in, and at
 * what offset.
 */
#ifndef SCALER_SITE_BPF_H
#define SCALER_SITE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <asm/mman.h>
#include <asm/unistd.h>
#include "compat.bpf.h"
#include "component.bpf.h"
#include "maps.bpf.h"

/* Set by user space before loading: vm_pgoff counts pages. */
const volatile __u32 page_shift __weak = 12;

/*
 * A number for each change of code mappings, by a hash of the address space: what a thread knows of sites
 * holds only as long as the number. Two address spaces that share one forget more often, and no more.
 */
#define MAPPINGS_BITS 10
__u64 mappings_changes[1 << MAPPINGS_BITS] __weak;
__u64 last_mappings_change __weak;
/* Of all address spaces; counted behind the number, so that who sees the count sees the number. */
__u64 all_mappings_changes __weak;

#define GOLDEN_RATIO 0x9E3779B97F4A7C15ULL /* 2^64 / phi, Knuth's multiplicative hash */

static __always_inline u64 *mappings_change(struct task_struct *task, struct known_sites *known)
{
	u64 slot;

	/* The verifier lets us reckon with a kernel address only once it has been in a map. */
	known->address_space = (u64)task->mm;
	barrier();
	slot = (known->address_space * GOLDEN_RATIO) >> (64 - MAPPINGS_BITS);
	barrier_var(slot);
	return &mappings_changes[slot & ((1 << MAPPINGS_BITS) - 1)];
}

/*
 * At the exit of a call: whether it may have put other code where there was code before. Code comes
 * only with a mapping that is executable, and nobody runs it before the call that made it so is over.
 */
static __always_inline bool call_maps_code(u8 abi, struct pt_regs *regs)
{
	if (abi != SCALER_ABI_NATIVE)
		return true; /* rare, and numbers of another table */
	switch (call_number(regs)) {
	case __NR_execve:
	case __NR_execveat:
	case __NR_mremap:
	case __NR_shmat:
		return true;
	case __NR_mmap:
	case __NR_mprotect:
	case __NR_pkey_mprotect:
		return call_third_argument(regs) & PROT_EXEC;
	}
	return false;
}

static __always_inline void mappings_changed(struct task_struct *task, struct known_sites *known)
{
	*mappings_change(task, known) = __sync_fetch_and_add(&last_mappings_change, 1) + 1;
	__sync_fetch_and_add(&all_mappings_changes, 1);
}

static bool is_vdso(struct task_struct *task, struct vm_area_struct *vma)
{
	return bpf_core_field_exists(struct mm_struct, context.vdso) &&
	       vma->vm_start == (u64)task->mm->context.vdso;
}

struct site_search {
	u64 address;
	u64 site;           /* out */
	bool new_component; /* out: one that was not known, to be completed */
};

/* Called with the address space's lock held, so that the mapping and its file stay. */
static long site_of_mapping(struct task_struct *task, struct vm_area_struct *vma, void *data)
{
	struct scaler_component_key key = {};
	struct site_search *search = data;
	struct file *file = vma->vm_file;
	u64 offset = search->address - vma->vm_start;
	u32 number;

	if (file) {
		key.inode = file->f_inode->i_ino;
		key.device = file->f_inode->i_sb->s_dev;
		key.generation = file->f_inode->i_generation;
		offset += (u64)vma->vm_pgoff << page_shift;
	} else if (is_vdso(task, vma)) {
		key.inode = SCALER_COMPONENT_VDSO;
	} else {
		key.inode = SCALER_COMPONENT_ANONYMOUS;
		offset = 0;
	}
	number = component_number(&key, task, vma, &search->new_component);
	if (number)
		search->site = scaler_site(number, offset);
	return 0;
}

/* The current task's site by its mappings; one without a component if they cannot be looked at now. */
static __noinline u64 site_search(void *context, struct task_struct *task, u64 address)
{
	struct site_search search = { .address = address, .site = scaler_site(0, address) };

	if (!kernel_finds_mappings())
		return search.site;
	bpf_find_vma(task, address, site_of_mapping, &search, 0);
	if (search.new_component)
		component_read_build_id(context, scaler_site_component(search.site));
	return search.site;
}

/* Forgets what may no longer hold, after some address space has changed. */
static __noinline void known_sites_update(struct task_struct *task, struct known_sites *known, u64 changes)
{
	u64 mappings = *mappings_change(task, known);

	known->changes = changes;
	if (known->mappings == mappings)
		return;
	known->mappings = mappings;
	for (int i = 0; i < 1 << KNOWN_SITES_BITS; i++)
		known->slots[i].address = 0;
}

/* The site of a call that the current task is entering. Each address has a slot and its neighbour. */
static __always_inline u64 site_find(void *context, struct task_struct *task, struct known_sites *known,
				     u64 address)
{
	u64 index = (address ^ address >> KNOWN_SITES_BITS) & ((1 << KNOWN_SITES_BITS) - 1);
	u64 changes = all_mappings_changes, site;
	struct known_site *first, *second;

	if (known->changes != changes)
		known_sites_update(task, known, changes);
	barrier_var(index);
	first = &known->slots[index & ((1 << KNOWN_SITES_BITS) - 1)];
	if (first->address == address)
		return first->site;
	second = &known->slots[(index ^ 1) & ((1 << KNOWN_SITES_BITS) - 1)];
	if (second->address == address)
		return second->site;
	site = site_search(context, task, address);
	if (scaler_site_component(site)) {
		*second = *first;
		first->address = address;
		first->site = site;
	}
	return site;
}

#endif
