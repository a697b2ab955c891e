/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of a table that all share: neither one process nor one user may have all of them. */
#ifndef SCALER_SHARE_BPF_H
#define SCALER_SHARE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "hash_map.bpf.h"
#include "numbers.bpf.h"

/* Who has rows: a user, or one of the processes. */
enum share_kind {
	SHARE_OF_USER,
	SHARE_OF_PROCESS,
};
struct share_key {
	u32 kind;
	u32 id;
};

/* How many rows each has taken; who has long taken none may be forgotten. */
LRU_MAP(1024, struct share_key, u32) component_shares __weak SEC(".maps");

/* How many may be taken; set by user space before loading. */
const volatile __u32 component_user_share __weak;
const volatile __u32 component_process_share __weak;

#define USER_NAMESPACES 8 /* within each other; the kernel's limit is 32 */

/* In a user namespace who has made it, the outermost one: within it a process can be any user. */
static __always_inline u32 share_user(struct task_struct *task)
{
	struct user_namespace *space = BPF_CORE_READ(task, real_cred, user_ns);
	u32 user = BPF_CORE_READ(task, real_cred, uid.val);

	for (int i = 0; i < USER_NAMESPACES && BPF_CORE_READ(space, level); i++) {
		user = BPF_CORE_READ(space, owner.val);
		space = BPF_CORE_READ(space, parent);
	}
	return user;
}

static __always_inline bool share_has_room(u32 kind, u32 id, u32 most)
{
	const struct share_key key = { kind, id };
	const u32 *taken = bpf_map_lookup_elem(&component_shares, &key);

	return !taken || *taken < most;
}

static __always_inline void share_add(u32 kind, u32 id)
{
	const struct share_key key = { kind, id };
	const u32 first = 1;
	u32 *taken = bpf_map_lookup_elem(&component_shares, &key);

	if (taken)
		__sync_fetch_and_add(taken, 1);
	else
		bpf_map_update_elem(&component_shares, &key, &first, BPF_NOEXIST);
}

/* By themselves, for what they take of the stack. */
static __noinline bool component_share_is_left(struct task_struct *task)
{
	return share_has_room(SHARE_OF_USER, share_user(task), component_user_share) &&
	       share_has_room(SHARE_OF_PROCESS, BPF_CORE_READ(task, tgid), component_process_share);
}

static __noinline int component_share_take(struct task_struct *task)
{
	share_add(SHARE_OF_USER, share_user(task));
	share_add(SHARE_OF_PROCESS, BPF_CORE_READ(task, tgid));
	return 0;
}

#endif
