// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers components, and describes each when it is first seen, so that user space can find its file later, when its
 * processes may be gone.
 */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "compat.bpf.h"
#include "component.bpf.h"

#define PATH_PARTS 40
#define NAME_SIZE  256 /* NAME_MAX and a NUL */

/* Names are written from any offset below this on, and fit. */
#define NAMES_LIMIT 512
_Static_assert(NAMES_LIMIT + NAME_SIZE <= SCALER_PATH_SIZE, "the last name fits");

/* A new component is described in place; too large for the stack. */
static const struct scaler_component empty_component;

__u32 last_component __weak;

/* On the way from a file to the tracer's root folder or, from outside of that, to the root of all mounts. */
struct path_walk {
	struct dentry *dentry;
	struct mount *mount;
	struct scaler_component *component;
	bool complete; /* out: the root was reached */
};

/* Appends one name, or goes on to the mount's own place. Returns 1 when there is no more. */
static long path_step(u32 part, void *data)
{
	struct path_walk *walk = data;
	struct scaler_component *component = walk->component;
	/* Apart: all of what BPF_CORE_READ is given it takes for the kernel's. */
	struct dentry *dentry = walk->dentry, *parent = BPF_CORE_READ(dentry, d_parent);
	struct mount *mount = walk->mount;
	u64 size = component->names_size;
	long got;

	if ((u64)dentry == tracer_root && (u64)mount == tracer_root_mount) {
		walk->complete = true;
		return 1;
	}
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
	walk->dentry = parent;
	/* In no folder: a memory file, which has a name and no path. */
	return dentry == parent;
}

/* Appends the path's names from the innermost on; false if there are too many. */
static __always_inline bool names_read(struct scaler_component *component, struct file *file)
{
	struct vfsmount *vfsmount = BPF_CORE_READ(file, f_path.mnt);
	struct path_walk walk = {
		.dentry = BPF_CORE_READ(file, f_path.dentry),
		.mount = container_of(vfsmount, struct mount, mnt),
		.component = component,
	};

	bpf_loop(PATH_PARTS, path_step, &walk, 0);
	return walk.complete;
}

/* NULL: there is no room for it, or no memory just now. */
static __always_inline struct scaler_component *
component_describe(u32 number, const struct scaler_component_key *key, struct task_struct *task,
		   struct vm_area_struct *mapping, u32 is_application)
{
	struct scaler_component *component;

	if (bpf_map_update_elem(&components, &number, &empty_component, BPF_NOEXIST))
		return NULL;
	component = bpf_map_lookup_elem(&components, &number);
	if (!component)
		return NULL;
	component->key = *key;
	component->start = BPF_CORE_READ(mapping, vm_start);
	component->end = BPF_CORE_READ(mapping, vm_end);
	component->tgid = process_number(task);
	component->uid = BPF_CORE_READ(task, real_cred, uid.val);
	component->application = is_application;
	if (key->device)
		component->truncated = !names_read(component, BPF_CORE_READ(mapping, vm_file));
	return component;
}

/* None is without a description. */
__noinline u32 component_add(const struct scaler_component_key *seen, u64 task, u64 mapping,
			     u32 is_application)
{
	struct scaler_component *component = NULL;
	u32 number, result = SCALER_COMPONENT_NONE, *known;

	if (!seen || !finds_mappings)
		return SCALER_COMPONENT_NONE;
	number = __sync_fetch_and_add(&last_component, 1) + 1;
	if (number < SCALER_COMPONENT_KERNEL)
		component = component_describe(number, seen, (struct task_struct *)task,
					       (struct vm_area_struct *)mapping, is_application);
	if (component) {
		/* By the copy that is in a map: before Linux 6.2 none takes another function's (commit d18b2a1b1d6a). */
		if (!bpf_map_update_elem(&component_numbers, &component->key, &number, BPF_NOEXIST))
			return number;
		/* Another CPU may have been faster. */
		known = bpf_map_lookup_elem(&component_numbers, &component->key);
		if (known)
			result = *known;
		bpf_map_delete_elem(&components, &number);
	}
	if (!result)
		loss_count(SCALER_LOSS_COMPONENT_MAP);
	return result;
}
