/* SPDX-License-Identifier: GPL-2.0-only */
/* Follows a file's folders and mounts: to the tracer's root folder or, from outside of that, to the root of all mounts. */
#ifndef SCALER_PATH_BPF_H
#define SCALER_PATH_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/path.h>

/* The folder from which the tracer opens files, and the struct mount that this is in; 0: not known yet. */
__u64 tracer_root __weak;
__u64 tracer_root_mount __weak;

#define PATH_PARTS 40
#define NAME_SIZE  256 /* NAME_MAX and a NUL */

/* Names are written from any offset below this on, and fit. */
#define NAMES_LIMIT 512
_Static_assert(NAMES_LIMIT + NAME_SIZE <= SCALER_PATH_SIZE, "the last name fits");

/* On the way from a file to a root. */
struct path_walk {
	struct dentry *dentry;
	struct mount *mount;
	struct scaler_path *path;
};

/* Appends one name, or goes on to the mount's own place. Returns 1 when there is no more. */
static long path_step(u32 part, void *data)
{
	struct path_walk *walk = data;
	struct scaler_path *path = walk->path;
	/* Apart: all of what BPF_CORE_READ is given it takes for the kernel's. */
	struct dentry *dentry = walk->dentry, *parent = BPF_CORE_READ(dentry, d_parent);
	struct mount *mount = walk->mount;
	u64 size = path->size;
	long got;

	if ((u64)dentry == tracer_root && (u64)mount == tracer_root_mount) {
		path->is_cut = false;
		return 1;
	}
	if (dentry == BPF_CORE_READ(mount, mnt.mnt_root)) {
		walk->mount = BPF_CORE_READ(mount, mnt_parent);
		walk->dentry = BPF_CORE_READ(mount, mnt_mountpoint);
		path->is_cut = walk->mount != mount;
		return !path->is_cut;
	}
	barrier_var(size);
	if (size >= NAMES_LIMIT)
		return 1;
	got = bpf_probe_read_kernel_str(path->names + size, NAME_SIZE, BPF_CORE_READ(dentry, d_name.name));
	if (got < 0)
		return 1;
	path->size = size + (u32)got;
	walk->dentry = parent;
	path->is_apart = dentry == parent;
	return path->is_apart;
}

static __always_inline bool dentry_is_deleted(struct dentry *dentry)
{
	return !BPF_CORE_READ(dentry, d_hash.pprev) && dentry != BPF_CORE_READ(dentry, d_parent);
}

/* Fills a path, which is in a map and empty, with that of a file. */
static __always_inline void path_read(struct scaler_path *path, struct file *file)
{
	struct vfsmount *vfsmount = BPF_CORE_READ(file, f_path.mnt);
	struct path_walk walk = {
		.dentry = BPF_CORE_READ(file, f_path.dentry),
		.mount = container_of(vfsmount, struct mount, mnt),
		.path = path,
	};

	path->is_deleted = dentry_is_deleted(walk.dentry);
	path->is_cut = true;
	bpf_loop(PATH_PARTS, path_step, &walk, 0);
}

#endif
