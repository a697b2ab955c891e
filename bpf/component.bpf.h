/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The components that traced programs run: numbered, and described when they are first seen, so that user
 * space can find their files later, when their processes may be gone.
 */
#ifndef SCALER_COMPONENT_BPF_H
#define SCALER_COMPONENT_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/component.h>
#include "maps.bpf.h"
#include "numbers.bpf.h"

#define PATH_PARTS 40
#define NAME_SIZE  256 /* NAME_MAX and a NUL */

/* Names are written from any offset below this on, and fit. */
#define NAMES_LIMIT 512
_Static_assert(NAMES_LIMIT + NAME_SIZE <= SCALER_PATH_SIZE, "the last name fits");

/* A new component is described in place; too large for the stack. */
static const struct scaler_component empty_component;

__u32 last_component __weak;

/* On the way from a file to the root of all mounts. */
struct path_walk {
	struct scaler_component *component;
	struct dentry *dentry;
	struct mount *mount;
	bool complete;
};

/* Appends one name, or goes on to the mount's own place. */
static long path_step(u32 index, void *data)
{
	struct path_walk *walk = data;
	struct scaler_component *component = walk->component;
	/* Apart: all of what BPF_CORE_READ is given it takes for the kernel's. */
	struct dentry *dentry = walk->dentry, *parent = BPF_CORE_READ(dentry, d_parent);
	struct mount *mount = walk->mount;
	u64 size = component->names_size;
	long got;

	if (dentry == BPF_CORE_READ(mount, mnt.mnt_root)) {
		walk->mount = BPF_CORE_READ(mount, mnt_parent);
		walk->dentry = BPF_CORE_READ(mount, mnt_mountpoint);
		walk->complete = walk->mount == mount;
		return walk->complete;
	}
	barrier_var(size);
	if (size >= NAMES_LIMIT)
		return 1;
	got = bpf_probe_read_kernel_str(component->names + size, NAME_SIZE,
					BPF_CORE_READ(dentry, d_name.name));
	if (got < 0)
		return 1;
	component->names_size = size + (u32)got;
	/* In no folder: a memory file, which has a name and no path. */
	if (dentry == parent)
		return 1;
	walk->dentry = parent;
	return 0;
}

/* Appends the path's names from the innermost on; false if there are too many. */
static __always_inline bool names_read(struct scaler_component *component, struct file *file)
{
	struct vfsmount *vfsmount = BPF_CORE_READ(file, f_path.mnt);
	struct path_walk walk = {
		.component = component,
		.dentry = BPF_CORE_READ(file, f_path.dentry),
		.mount = container_of(vfsmount, struct mount, mnt),
	};

	bpf_loop(PATH_PARTS, path_step, &walk, 0);
	return walk.complete;
}

/* False: there is no room for it, or no memory just now. */
static __always_inline bool component_describe(u32 number, const struct scaler_component_key *key,
					       struct task_struct *task, struct vm_area_struct *vma,
					       bool application)
{
	struct scaler_component *component;

	if (bpf_map_update_elem(&components, &number, &empty_component, BPF_NOEXIST))
		return false;
	component = bpf_map_lookup_elem(&components, &number);
	if (!component)
		return false;
	component->key = *key;
	component->start = BPF_CORE_READ(vma, vm_start);
	component->end = BPF_CORE_READ(vma, vm_end);
	component->tgid = process_number(task);
	component->application = application;
	component->uid = task->real_cred->uid.val;
	if (key->device)
		component->truncated = !names_read(component, BPF_CORE_READ(vma, vm_file));
	return true;
}

static __always_inline void component_key_of_file(struct scaler_component_key *key, struct inode *inode)
{
	key->inode = BPF_CORE_READ(inode, i_ino);
	key->device = BPF_CORE_READ(inode, i_sb, s_dev);
	key->generation = BPF_CORE_READ(inode, i_generation);
}

/* The component's number, a new one if it was not known; 0: there is no room. None is without a description. */
static __always_inline u32 component_number(const struct scaler_component_key *key, struct task_struct *task,
					    struct vm_area_struct *vma, bool application)
{
	u32 *known = bpf_map_lookup_elem(&component_numbers, key), number;

	if (known)
		return *known;
	number = __sync_fetch_and_add(&last_component, 1) + 1;
	if (number < SCALER_COMPONENT_KERNEL && component_describe(number, key, task, vma, application)) {
		if (!bpf_map_update_elem(&component_numbers, key, &number, BPF_NOEXIST))
			return number;
		bpf_map_delete_elem(&components, &number);
	}
	/* Another CPU may have been faster. */
	known = bpf_map_lookup_elem(&component_numbers, key);
	if (known)
		return *known;
	loss_count(SCALER_LOSS_COMPONENT_MAP);
	return SCALER_COMPONENT_NONE;
}

/* The build-id of the file that the current task's instruction pointer lies in, if it is not yet known. */
static __always_inline void component_read_build_id(void *context, u32 number)
{
	struct scaler_component *component = bpf_map_lookup_elem(&components, &number);
	struct bpf_stack_build_id frame = {};

	/* One that begins with zeros is asked for again and again, and found. */
	if (!component || !component->key.device || *(u32 *)component->build_id)
		return;
	if (bpf_get_stack(context, &frame, sizeof(frame), BPF_F_USER_STACK | BPF_F_USER_BUILD_ID) ==
		    sizeof(frame) &&
	    frame.status == BPF_STACK_BUILD_ID_VALID)
		__builtin_memcpy(component->build_id, frame.build_id, SCALER_BUILD_ID_SIZE);
}

#endif
