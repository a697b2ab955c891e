/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address spaces by number. Code stays where it is as long as the number is the same: whatever may have put
 * other code in its place gives the address space a new one. Numbers are never used again.
 */
#ifndef SCALER_ADDRESS_SPACE_BPF_H
#define SCALER_ADDRESS_SPACE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <asm/mman.h>
#include <asm/unistd.h>
#include "compat.bpf.h"
#include "filter.bpf.h"
#include "hash_map.bpf.h"
#include "likely.bpf.h"
#include "maps.bpf.h"

struct address_space {
	u64 number;
	u64 check; /* address_space_check() */
	u64 code;  /* address_space_code() when it got the number */
	u64 described; /* address_space_extent() when its mappings were told to user space; 0: they have not been */
	u64 partial; /* so often no more than a part of them could be listed */
	u64 is_owed; /* a walk is stuck for want of them, and they could not be told */
};

/* By mm_struct. One that falls out gets a new number, and loses no more than what was known of it. */
LRU_MAP(16384, u64, struct address_space) address_spaces __weak SEC(".maps");

__u64 last_address_space __weak;
/* How many are owed; those that went away so count on, which costs each walk that is not stuck a lookup. */
__u64 address_spaces_owed __weak;
/* Counted after the new number is in the map, so that who sees the count sees the number. */
__u64 all_mappings_changes __weak;

#define READ_IMPLIES_EXEC 0x0400000 /* include/uapi/linux/personality.h */

/*
 * At the exit of a call: whether it may have put other code where there was code before. Code comes
 * only with a mapping that is executable, and nobody runs it before the call that made it so is over.
 */
static __always_inline bool call_maps_code(struct task_struct *task, u8 abi, struct pt_regs *regs)
{
	u32 makes_code = task->personality & READ_IMPLIES_EXEC ? PROT_EXEC | PROT_READ : PROT_EXEC;

	if (abi != SCALER_ABI_NATIVE)
		return true; /* rare, and numbers of another table */
	switch (call_number(regs)) {
	case __NR_execve:
	case __NR_execveat:
	case __NR_mremap:
	case __NR_remap_file_pages:
	case __NR_shmat:
		return true;
	case __NR_mmap:
	case __NR_mprotect:
	case __NR_pkey_mprotect:
		return call_argument(regs, 2) & makes_code;
	}
	return false;
}

/* Of one that maps code: whether it is a file's. What an execve maps is told as such. */
static __always_inline bool call_maps_file(u8 abi, struct pt_regs *regs)
{
	return abi == SCALER_ABI_NATIVE && call_number(regs) == __NR_mmap &&
	       !(call_argument(regs, 3) & MAP_ANONYMOUS);
}

/* An entry that was replaced or deleted can be another's while it is read: its number must go with the key. */
static __always_inline u64 address_space_check(const u64 *key, u64 number)
{
	return *key ^ number * 0x9e3779b97f4a7c15;
}

/*
 * Another number once code has been mapped or unmapped, where system calls are not followed: by the pages of
 * code, and by the stack's place, because an mm_struct's memory becomes another's. Code that gave way to as much
 * other code since it was last looked at is not noticed so.
 */
static __always_inline u64 address_space_code(const u64 *key)
{
	const struct mm_struct *mm = (const struct mm_struct *)*key;

	return BPF_CORE_READ(mm, exec_vm) ^ BPF_CORE_READ(mm, start_stack);
}

/* Another number whenever there is more or less of anything, code that can be written to included. */
static __always_inline u64 address_space_extent(const u64 *key)
{
	const struct mm_struct *mm = (const struct mm_struct *)*key;

	return (BPF_CORE_READ(mm, total_vm) << 20 ^ (u32)BPF_CORE_READ(mm, map_count)) | 1ULL << 63;
}

static __always_inline struct address_space address_space_fresh(const u64 *key)
{
	u64 code = address_space_code(key);
	u64 number = __sync_fetch_and_add(&last_address_space, 1) + 1;

	return (struct address_space){ .number = number,
				       .check = address_space_check(key, number),
				       .code = code };
}

static __noinline void address_space_changed(u64 key)
{
	struct address_space fresh = address_space_fresh(&key);

	if (bpf_map_update_elem(&address_spaces, &key, &fresh, BPF_ANY))
		bpf_map_delete_elem(&address_spaces, &key);
	__sync_fetch_and_add(&all_mappings_changes, 1);
}

/* A walk is stuck for want of its mappings, and they could not be reported: the next walk there is to try again. */
static __always_inline void address_space_owe(struct address_space *space)
{
	if (!__sync_lock_test_and_set(&space->is_owed, 1))
		__sync_fetch_and_add(&address_spaces_owed, 1);
}

static __always_inline void address_space_paid(struct address_space *space)
{
	if (space->is_owed && __sync_lock_test_and_set(&space->is_owed, 0))
		__sync_fetch_and_add(&address_spaces_owed, -1);
}

static __always_inline bool address_space_is_owed(struct task_struct *task)
{
	u64 key;
	const struct address_space *space;

	if (!address_spaces_owed)
		return false;
	key = task_address_space(task);
	space = bpf_map_lookup_elem(&address_spaces, &key);
	return space && space->is_owed;
}

/* It may be a new one at an old address. */
static __always_inline void address_space_forget(struct task_struct *task)
{
	u64 key = task_address_space(task);

	bpf_map_delete_elem(&address_spaces, &key);
}

/* Not inline: what it takes of the stack is free again when the mappings are listed. */
static __noinline void address_space_add(u64 key)
{
	struct address_space fresh = address_space_fresh(&key);

	bpf_map_update_elem(&address_spaces, &key, &fresh, BPF_NOEXIST);
}

/* NULL: there is no room. */
static __always_inline struct address_space *address_space_get(const u64 *key)
{
	struct address_space *found = bpf_map_lookup_elem(&address_spaces, key);

	/* Where all calls are followed, their exits tell, and a walk under way keeps its number until one does. */
	if (found && ((records_calls && !scaler_calls_are_sampled(&call_window)) ||
		      likely(found->code == address_space_code(key))))
		return found;
	if (found)
		address_space_changed(*key);
	else
		address_space_add(*key);
	return bpf_map_lookup_elem(&address_spaces, key);
}

/* 0: there is none, or it is not known just now. */
static __always_inline u64 address_space_read(const struct address_space *space, const u64 *key)
{
	u64 number = space ? *(volatile const u64 *)&space->number : 0;

	return number && *(volatile const u64 *)&space->check == address_space_check(key, number) ? number :
												    0;
}

/*
 * Forgets what may no longer hold of the current task's, after some address space has changed. Global, so that the
 * verifier looks at it once.
 */
__weak __noinline int known_sites_update(struct known_sites *known, u64 changes)
{
	u64 key, number;

	if (!known)
		return 0;
	key = task_address_space(bpf_get_current_task_btf());
	/* Or a number of its own for this once. */
	number = address_space_read(address_space_get(&key), &key) ?:
			 __sync_fetch_and_add(&last_address_space, 1) + 1;
	known->changes = changes;
	if (known->address_space == number)
		return 0;
	known->address_space = number;
	for (int i = 0; i < 1 << KNOWN_SITES_BITS; i++)
		known->slots[i].address = 0;
	for (int i = 0; i < TEMPLATE_SETS * TEMPLATE_WAYS; i++)
		known->templates[i / TEMPLATE_WAYS][i % TEMPLATE_WAYS].from.pc = 0;
	return 0;
}

/* The number of the current task's address space. What is known of its sites holds in it. */
static __always_inline u64 address_space_number(struct task_struct *task, struct known_sites *known)
{
	u64 changes = all_mappings_changes;

	if (known->changes != changes || !known->address_space)
		known_sites_update(known, changes);
	return known->address_space;
}

#endif
