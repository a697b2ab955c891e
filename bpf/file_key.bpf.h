/* SPDX-License-Identifier: GPL-2.0-only */
/* Files by descriptors, and what tells them from each other. */
#ifndef SCALER_FILE_KEY_BPF_H
#define SCALER_FILE_KEY_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <linux/magic.h>
#include <scaler/component.h>
#include <scaler/library.h>

static __always_inline void component_key_of_file(struct scaler_component_key *key, struct inode *inode)
{
	key->inode = BPF_CORE_READ(inode, i_ino);
	key->device = BPF_CORE_READ(inode, i_sb, s_dev);
	key->generation = BPF_CORE_READ(inode, i_generation);
}

static __always_inline void file_key_read(struct scaler_file_key *key, struct file *file)
{
	struct scaler_component_key component = {};

	component_key_of_file(&component, BPF_CORE_READ(file, f_inode));
	key->inode = component.inode;
	key->device = component.device;
}

/* Its files have inodes of their own, and mappings of them are of the files of a layer below, which have the probes. */
static __always_inline bool file_is_of_overlay(struct file *file)
{
	return BPF_CORE_READ(file, f_inode, i_sb, s_magic) == OVERLAYFS_SUPER_MAGIC;
}

/* The current task's file of that descriptor; 0: it is not an open descriptor. Global, so that the verifier looks at it once. */
__weak __noinline u64 descriptor_own_file(u32 fd)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct fdtable *table = task->files->fdt;
	struct file *file = NULL;

	if (fd < table->max_fds)
		bpf_probe_read_kernel(&file, sizeof(file), table->fd + fd);
	return (u64)file;
}

#endif
