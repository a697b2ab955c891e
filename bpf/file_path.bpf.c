// SPDX-License-Identifier: GPL-2.0-only
/* Numbers the paths of files that threads wait on. */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "compat.bpf.h"
#include "file_path.bpf.h"
#include "hash_map.bpf.h"
#include "maps.bpf.h"
#include "path.bpf.h"

/* By file_path_key(). */
HASH_MAP(16384, u64, u32) file_path_numbers __weak SEC(".maps");

HASH_MAP(16384, u32, struct scaler_path) file_paths __weak SEC(".maps");

/* A new path is made in place; too large for the stack. */
static const struct scaler_path empty_path;

__u32 last_file_path __weak;

static __always_inline u64 mix(u64 hash, u64 value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 32;
}

/*
 * Of what a file's path is known by again: its name and folder, and where that is mounted. A file that is renamed or
 * deleted, or takes the place of one, has another path; one above which a folder is renamed seems to keep its own. 0: it
 * has no name, as most pipes.
 */
static __always_inline u64 file_path_key(struct file *file)
{
	struct dentry *dentry = BPF_CORE_READ(file, f_path.dentry);
	u64 name = BPF_CORE_READ(dentry, d_name.hash_len);
	u64 key = mix((u64)dentry, (u64)BPF_CORE_READ(file, f_path.mnt));

	if (!(name >> 32)) /* its length */
		return 0;
	key = mix(key, (u64)BPF_CORE_READ(dentry, d_parent));
	key = mix(key, name);
	return mix(key, dentry_is_deleted(dentry));
}

/* False: there is no room for it, or no memory just now. */
static __always_inline bool file_path_add(u32 number, u64 file)
{
	struct scaler_path *path;

	if (bpf_map_update_elem(&file_paths, &number, &empty_path, BPF_NOEXIST))
		return false;
	path = bpf_map_lookup_elem(&file_paths, &number);
	if (path)
		path_read(path, (struct file *)file);
	return path;
}

/* No number is without its path. */
__noinline u32 file_path_number(u64 file)
{
	u64 key = file_path_key((struct file *)file);
	u32 number, *known;

	/* Before Linux 5.17 nothing can be followed that far. */
	if (!key || !finds_mappings)
		return 0;
	known = bpf_map_lookup_elem(&file_path_numbers, &key);
	if (known)
		return *known;
	number = __sync_fetch_and_add(&last_file_path, 1) + 1;
	if (file_path_add(number, file) &&
	    !bpf_map_update_elem(&file_path_numbers, &key, &number, BPF_NOEXIST))
		return number;
	bpf_map_delete_elem(&file_paths, &number);
	/* Another CPU may have been faster. */
	known = bpf_map_lookup_elem(&file_path_numbers, &key);
	if (!known)
		loss_count(SCALER_LOSS_PATH_MAP);
	return known ? *known : 0;
}
