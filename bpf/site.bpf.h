/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the current task issues a system call: which component its instruction pointer lies in, and at
 * what offset.
 */
#ifndef SCALER_SITE_BPF_H
#define SCALER_SITE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <asm/errno.h>
#include "address_space.bpf.h"
#include "compat.bpf.h"
#include "component.bpf.h"
#include "mapping.bpf.h"
#include "maps.bpf.h"
#include "moved_code.bpf.h"

/*
 * Here pointers are followed by reading memory: for each that a program dereferences the verifier searches the kernel's
 * types by name, once a path, and what follows has many.
 */
static bool is_vdso(struct task_struct *task, struct vm_area_struct *vma)
{
	return bpf_core_field_exists(struct mm_struct, context.vdso) &&
	       BPF_CORE_READ(vma, vm_start) == (u64)BPF_CORE_READ(task, mm, context.vdso);
}

static bool is_executed(struct task_struct *task, const struct inode *inode)
{
	return BPF_CORE_READ(task, mm, exe_file, f_inode) == inode;
}

struct site_search {
	u64 address;
	u64 site;                /* out */
	bool executable;         /* out, as are the next */
	bool anonymous;          /* code of no file */
	bool application;        /* anonymous, or of the file that the process executes */
	struct moved_code moved; /* zeros: it is not known to be of a file */
};

/* A process runs its code from elsewhere: moved_code.bpf.h. */
__attribute__((unused)) static __noinline void component_is_moved(u32 number)
{
	struct scaler_component *component = bpf_map_lookup_elem(&components, &number);

	if (component)
		component->moved = 1;
}

/*
 * Called with the address space's lock held, so that the mapping and its file stay; or else with one that may be going
 * away, which then is not there for its user.
 */
static __always_inline void site_find_in(struct task_struct *task, struct vm_area_struct *vma,
					 struct site_search *search)
{
	struct scaler_component_key key = {};
	struct vm_area_struct *neighbour = (void *)search->moved.neighbour;
	struct file *file = neighbour ? BPF_CORE_READ(neighbour, vm_file) : BPF_CORE_READ(vma, vm_file);
	u64 offset;
	u32 number;

	search->executable = BPF_CORE_READ(vma, vm_flags) & VM_EXEC;
	if (!search->executable)
		return;
	search->anonymous = false;

	if (file) {
		struct inode *inode = BPF_CORE_READ(file, f_inode);

		component_key_of_file(&key, inode);
		search->application = is_executed(task, inode);
	} else if (is_vdso(task, vma)) {
		key.inode = search->address >> 32 ? SCALER_COMPONENT_VDSO : SCALER_COMPONENT_COMPAT_VDSO;
	} else {
		search->anonymous = search->application = true;
		if (BPF_CORE_READ(vma, vm_start) == return_trampoline(task)) {
			key.inode = SCALER_COMPONENT_UPROBES;
		} else {
			key.inode = SCALER_COMPONENT_ANONYMOUS;
			key.generation = task->tgid;
			key.process_start_ns = BPF_CORE_READ(task, group_leader, start_boottime);
		}
	}
	number = component_number(&key, task, neighbour ?: vma, search->application);
	if (!number)
		return;
	offset = search->address;
	if (neighbour) {
		component_is_moved(number);
		offset += search->moved.offset - BPF_CORE_READ(vma, vm_start);
	} else if (key.inode != SCALER_COMPONENT_ANONYMOUS || key.device) {
		offset += mapping_file_offset(vma) - BPF_CORE_READ(vma, vm_start);
	}
	search->site = scaler_site(number, offset);
}

static __noinline long site_of_mapping(struct task_struct *task, struct vm_area_struct *vma, void *search)
{
	struct site_search *found = search;

	site_find_in(task, vma, found);
	if (found->executable && !scaler_site_component(found->site))
		loss_count(SCALER_LOSS_COMPONENT_MAP);
	return 0;
}

/* Of anonymous code, which may be a file's. */
static __noinline void site_find_moved(struct task_struct *task, struct site_search *search)
{
	struct maple_walk walk = {};
	struct vm_area_struct *code = maple_find(&walk, task, search->address);

	if (code)
		moved_code_find(task, code, &walk, &search->moved);
}

/* 0, or what bpf_find_vma() returns. */
static __always_inline long site_find_mapping(struct task_struct *task, struct site_search *search)
{
	long err = bpf_find_vma(task, search->address, site_of_mapping, search, 0);
	struct vm_area_struct *mapping;

	if (!kernel_has_mapping_tree())
		return err;
	if (err == -EBUSY) {
		mapping = mapping_find(task, search->address);
		if (mapping)
			err = site_of_mapping(task, mapping, search);
	}
	if (err || !search->anonymous)
		return err;
	site_find_moved(task, search);
	mapping = search->moved.neighbour ? mapping_find(task, search->address) : NULL;
	if (mapping)
		site_of_mapping(task, mapping, search);
	return err;
}

/*
 * The current task's site by its mappings; one without a component if they cannot be looked at now. Global, as more here:
 * the verifier then checks it once, and not for each way that leads to it.
 */
__weak __noinline u64 site_of_address(u64 address)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct site_search search = { .address = address, .site = scaler_site(0, address) };

	if (finds_mappings)
		site_find_mapping(task, &search);
	return search.site;
}

/* The same of the instruction that it is at, in the context of a program for it. */
static __always_inline u64 site_search(void *context, struct task_struct *task, u64 address)
{
	u64 site = site_of_address(address);

	if (scaler_site_component(site))
		component_read_build_id(context, scaler_site_component(site));
	return site;
}

/* The site of a call that the current task is entering. Each address has a slot and its neighbour. */
static __always_inline u64 site_find(void *context, struct task_struct *task, struct known_sites *known,
				     u64 address)
{
	u64 index = (address ^ address >> KNOWN_SITES_BITS) & ((1 << KNOWN_SITES_BITS) - 1);
	struct known_site *first, *second;
	u64 site;

	address_space_number(task, known);
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
