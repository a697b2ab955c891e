/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the current task issues a system call: which component its instruction pointer lies in, and at
 * what offset. A component is described when it is first seen, so that its file can be found later.
 */
#ifndef SCALER_SITE_BPF_H
#define SCALER_SITE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <asm/mman.h>
#include <asm/unistd.h>
#include <scaler/component.h>
#include "compat.bpf.h"
#include "maps.bpf.h"

/* Set by user space before loading: vm_pgoff counts pages. */
const volatile __u32 page_shift __weak = 12;

#define PATH_PARTS	40
#define NAME_SIZE	256 /* NAME_MAX and a NUL */

/* Names are written from any offset below this on, and fit. */
#define NAMES_LIMIT 512
_Static_assert(NAMES_LIMIT + NAME_SIZE <= SCALER_PATH_SIZE, "the last name fits");

/* A new component is described in place; too large for the stack. */
static const struct scaler_component empty_component;

__u32 last_component __weak;

/*
 * A number for each change of code mappings, by a hash of the address space: what a thread knows of sites
 * holds only as long as the number. Two address spaces that share one forget more often, and no more.
 */
#define MAPPINGS_BITS 10
__u64 last_mappings_change __weak;
__u64 mappings_changes[1 << MAPPINGS_BITS] __weak;

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
}

/* Appends the path's names from the innermost on; false if there are too many. */
static __always_inline bool names_read(struct scaler_component *component, struct file *file)
{
	struct vfsmount *vfsmount = BPF_CORE_READ(file, f_path.mnt);
	struct dentry *dentry = BPF_CORE_READ(file, f_path.dentry);
	struct mount *mount = container_of(vfsmount, struct mount, mnt);
	u64 size = 0;

	for (int i = 0; i < PATH_PARTS; i++) {
		struct dentry *parent = BPF_CORE_READ(dentry, d_parent);
		struct mount *outer;
		long got;

		if (dentry == BPF_CORE_READ(mount, mnt.mnt_root) || dentry == parent) {
			outer = BPF_CORE_READ(mount, mnt_parent);
			if (outer == mount)
				return true;
			dentry = BPF_CORE_READ(mount, mnt_mountpoint);
			mount = outer;
			continue;
		}
		barrier_var(size);
		if (size >= NAMES_LIMIT)
			return false;
		got = bpf_probe_read_kernel_str(component->names + size, NAME_SIZE,
						BPF_CORE_READ(dentry, d_name.name));
		if (got < 0)
			return false;
		size += (u32)got;
		component->names_size = size;
		dentry = parent;
	}
	return false;
}

struct site_search {
	u64 address;
	u64 site;	  /* out */
	u32 new_component; /* out: a component that was not known, to be completed */
};

static __always_inline void component_describe(u32 number, const struct scaler_component_key *key,
					       struct task_struct *task, struct vm_area_struct *vma)
{
	struct scaler_component *component;

	if (bpf_map_update_elem(&components, &number, &empty_component, BPF_NOEXIST))
		return;
	component = bpf_map_lookup_elem(&components, &number);
	if (!component)
		return;
	component->key = *key;
	component->start = vma->vm_start;
	component->end = vma->vm_end;
	component->tgid = task->tgid;
	if (key->device)
		component->truncated = !names_read(component, vma->vm_file);
}

/* The component's number, a new one if it was not known; 0: there is no room. */
static __always_inline u32 component_number(struct site_search *search,
					    const struct scaler_component_key *key,
					    struct task_struct *task, struct vm_area_struct *vma)
{
	u32 *known = bpf_map_lookup_elem(&component_numbers, key), number;

	if (known)
		return *known;
	number = __sync_fetch_and_add(&last_component, 1) + 1;
	if (number < SCALER_COMPONENT_LIMIT &&
	    !bpf_map_update_elem(&component_numbers, key, &number, BPF_NOEXIST)) {
		component_describe(number, key, task, vma);
		search->new_component = number;
		return number;
	}
	/* Another CPU may have been faster. */
	known = bpf_map_lookup_elem(&component_numbers, key);
	if (known)
		return *known;
	loss_count(SCALER_LOSS_COMPONENT_MAP);
	return SCALER_COMPONENT_NONE;
}

static bool is_vdso(struct task_struct *task, struct vm_area_struct *vma)
{
	return bpf_core_field_exists(struct mm_struct, context.vdso) &&
	       vma->vm_start == (u64)task->mm->context.vdso;
}

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
	number = component_number(search, &key, task, vma);
	if (number)
		search->site = scaler_site(number, offset);
	return 0;
}

/* The build-id of the file that the current task's instruction pointer lies in. */
static __always_inline void component_read_build_id(void *context, u32 number)
{
	struct scaler_component *component = bpf_map_lookup_elem(&components, &number);
	struct bpf_stack_build_id frame = {};

	if (!component || !component->key.device)
		return;
	if (bpf_get_stack(context, &frame, sizeof(frame), BPF_F_USER_STACK | BPF_F_USER_BUILD_ID) ==
		    sizeof(frame) &&
	    frame.status == BPF_STACK_BUILD_ID_VALID)
		__builtin_memcpy(component->build_id, frame.build_id, SCALER_BUILD_ID_SIZE);
}

/* The current task's site by its mappings; one without a component if they cannot be looked at now. */
static __noinline u64 site_search(void *context, struct task_struct *task, u64 address)
{
	struct site_search search = { .address = address, .site = scaler_site(0, address) };

	if (!kernel_finds_mappings())
		return search.site;
	bpf_find_vma(task, address, site_of_mapping, &search, 0);
	if (search.new_component)
		component_read_build_id(context, search.new_component);
	return search.site;
}

static void known_sites_forget(struct known_sites *known, u64 mappings)
{
	for (int i = 0; i < 1 << KNOWN_SITES_BITS; i++)
		known->slots[i].address = 0;
	known->mappings = mappings;
}

/* The site of a call that the current task is entering. */
static __always_inline u64 site_find(void *context, struct task_struct *task,
				     struct known_sites *known, u64 address)
{
	u64 slot = (address * GOLDEN_RATIO) >> (64 - KNOWN_SITES_BITS);
	u64 mappings = *mappings_change(task, known), site;

	if (known->mappings != mappings)
		known_sites_forget(known, mappings);
	barrier_var(slot);
	slot &= (1 << KNOWN_SITES_BITS) - 1;
	if (known->slots[slot].address == address)
		return known->slots[slot].site;
	site = site_search(context, task, address);
	if (scaler_site_component(site)) {
		known->slots[slot].address = address;
		known->slots[slot].site = site;
	}
	return site;
}

#endif
