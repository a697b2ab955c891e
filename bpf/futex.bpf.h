/* SPDX-License-Identifier: GPL-2.0-only */
/* Which futex a thread waits on, where it lies, and who seems to hold it. */
#ifndef SCALER_FUTEX_BPF_H
#define SCALER_FUTEX_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <linux/futex.h>
#include <scaler/resource.h>
#include <scaler/stack_template.h>
#include "compat.bpf.h"
#include "component.bpf.h"
#include "hash_map.bpf.h"
#include "mapping.bpf.h"
#include "site.bpf.h"
#include "timeout.bpf.h"
#include "user_memory.bpf.h"

#define VM_WRITE  2 /* include/linux/mm.h, as is the next */
#define VM_SHARED 8

/* The variables without a value of their own (.bss) lie in memory of no file, behind those that have one (.data). */
static __always_inline struct vm_area_struct *mapping_of_data(struct task_struct *task, u64 address)
{
	struct vm_area_struct *mapping = mapping_find(task, address);

	if (mapping && !BPF_CORE_READ(mapping, vm_file))
		mapping = mapping_find(task, BPF_CORE_READ(mapping, vm_start) - 1);
	return mapping;
}

/* The site of a variable of a program or library, by the mappings; 0: it is none. */
static __always_inline u64 site_search_data(struct task_struct *task, u64 address)
{
	struct scaler_component_key key = {};
	struct vm_area_struct *mapping;
	struct inode *inode;
	struct file *file;
	u32 number;
	u64 flags;

	if (!kernel_has_mapping_tree())
		return 0;
	mapping = mapping_of_data(task, address);
	file = mapping ? BPF_CORE_READ(mapping, vm_file) : NULL;
	if (!file)
		return 0;
	flags = BPF_CORE_READ(mapping, vm_flags);
	if (!(flags & VM_WRITE) || flags & (VM_SHARED | VM_EXEC))
		return 0;
	inode = BPF_CORE_READ(file, f_inode);
	component_key_of_file(&key, inode);
	number = component_number(&key, task, mapping, is_executed(task, inode));
	if (!number)
		return 0;
	return scaler_site(number, address - BPF_CORE_READ(mapping, vm_start) +
					   ((u64)BPF_CORE_READ(mapping, vm_pgoff) << page_shift));
}

/*
 * How often the mappings of an address space have been changed: counted as each change begins, and since Linux 6.13 as it ends
 * too. 0: it is not known, which takes Linux 6.4 with CONFIG_PER_VMA_LOCK.
 */
static __always_inline u32 mapping_changes(const struct mm_struct *mm)
{
	const struct mm_struct___before_6_13 *earlier = (const void *)mm;

	if (bpf_core_field_exists(mm->mm_lock_seq))
		return BPF_CORE_READ(mm, mm_lock_seq.sequence);
	return bpf_core_field_exists(earlier->mm_lock_seq) ? (u32)BPF_CORE_READ(earlier, mm_lock_seq) : 0;
}

/* Threads wait on few futexes, and on those again and again. */
struct known_data {
	u64 check;
	u64 site;
};

/* By address space and address. */
LRU_MAP(8192, u64, struct known_data) known_data __weak SEC(".maps");

/*
 * Of all that a site was found by: the address space, by its stack too, because its memory becomes another's, and what
 * was mapped in it then; and of the site, since an entry may become another's while it is read.
 */
static __always_inline u64 known_data_check(const struct mm_struct *mm, u32 changes, u64 address, u64 site)
{
	struct scaler_stack_hash hash = {};

	scaler_stack_hash_add(&hash, BPF_CORE_READ(mm, start_stack));
	scaler_stack_hash_add(&hash, changes);
	scaler_stack_hash_add(&hash, address);
	scaler_stack_hash_add(&hash, site);
	return hash.hash;
}

/* The same, if it is known. As a function of its own to the verifier (component_add()) it takes the task as a number. */
__weak __noinline u64 site_of_data(u64 of_task, u64 address)
{
	struct task_struct *task = (struct task_struct *)of_task;
	const struct mm_struct *mm = (const struct mm_struct *)task_address_space(task);
	u64 key = (u64)mm * SCALER_HASH_FACTOR ^ address;
	const struct known_data *known;
	struct known_data data = {};
	u32 changes = mapping_changes(mm);

	known = changes ? bpf_map_lookup_elem(&known_data, &key) : NULL;
	if (known) {
		data = *known;
		barrier(); /* it may be another by now: what is checked is what was read */
		if (data.check == known_data_check(mm, changes, address, data.site))
			return data.site;
	}
	data.site = site_search_data(task, address);
	data.check = known_data_check(mm, changes, address, data.site);
	if (changes)
		bpf_map_update_elem(&known_data, &key, &data, BPF_ANY);
	return data.site;
}

/* What glibc begins its mutexes with: nptl's struct __pthread_mutex_s, for 64 bits. */
struct mutex_words {
	u32 lock; /* the futex: 0 free, 1 held, 2 held and waited for */
	u32 count;
	u32 owner;
	u32 users;
	u32 kind;
};

#define MUTEX_CONTENDED  2
#define MUTEX_KIND_BITS  0x3ff   /* all that glibc has */
#define MUTEX_USERS_MOST 1000000 /* of anything else there is no more reason to take it for one */

static __always_inline bool is_mutex(const struct mutex_words *words)
{
	return words->lock == MUTEX_CONTENDED && words->owner && words->users &&
	       words->users < MUTEX_USERS_MOST && !(words->kind & ~MUTEX_KIND_BITS);
}

/* The kernel and robust mutexes keep the owner in the futex itself; so do threads for those who join them. */
static __always_inline u32 futex_owner(u32 operation, const struct mutex_words *words)
{
	u32 command = operation & FUTEX_CMD_MASK;

	/* That is where it begins to wait: who has the lock that it will be moved to is not there. */
	if (command == FUTEX_WAIT_REQUEUE_PI)
		return 0;
	if (command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2 || words->lock & FUTEX_WAITERS)
		return words->lock & FUTEX_TID_MASK;
	if (command == FUTEX_WAIT_BITSET && !(operation & FUTEX_PRIVATE_FLAG))
		return words->lock;
	return is_mutex(words) ? words->owner : 0;
}

static __always_inline void futex_read_timeout(struct scaler_resource *resource, struct task_struct *task,
					       u32 operation, u64 address)
{
	u32 command = operation & FUTEX_CMD_MASK;
	bool is_realtime = command == FUTEX_LOCK_PI || operation & FUTEX_CLOCK_REALTIME;

	if (command == FUTEX_WAIT)
		timeout_read(resource, task, address, SCALER_TIMEOUT_RELATIVE);
	else
		timeout_read_moment(resource, task, address, is_realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC);
}

static __always_inline void futex_set_address(struct scaler_resource *resource, struct task_struct *task,
					      u64 address)
{
	resource->id = address;
	resource->site = site_of_data(pointer_number(task), address);
}

/* From Linux 6.7 on, of all tables. */
#ifndef __NR_futex_wake
#define __NR_futex_wake 454
#define __NR_futex_wait 455
#endif

static __always_inline void futex_read_new(struct scaler_resource *resource, struct task_struct *task,
					   u64 address, u32 flags)
{
	resource->kind = SCALER_RESOURCE_FUTEX;
	if (!(flags & FUTEX_PRIVATE_FLAG))
		resource->flags |= SCALER_RESOURCE_SHARED;
	futex_set_address(resource, task, address);
}

/* futex_waitv() */
static __always_inline void futex_read_several(struct scaler_resource *resource, struct task_struct *task,
					       struct pt_regs *regs)
{
	u32 count = call_argument(regs, 1);
	struct futex_waitv first = {};

	if (user_read(task, &first, sizeof(first), call_argument(regs, 0)))
		return;
	futex_read_new(resource, task, first.uaddr, first.flags);
	if (count > 1) {
		resource->kind = SCALER_RESOURCE_FUTEXES;
		resource->number = count;
	}
}

static __always_inline void futex_read(struct scaler_resource *resource, struct task_struct *task,
				       struct pt_regs *regs)
{
	u32 operation = call_argument(regs, 1);
	struct mutex_words words = {};

	resource->kind = SCALER_RESOURCE_FUTEX;
	futex_set_address(resource, task, call_argument(regs, 0));
	if (!(operation & FUTEX_PRIVATE_FLAG))
		resource->flags |= SCALER_RESOURCE_SHARED;
	/* At the end of a page there may be no more than the futex. */
	if (user_read(task, &words, sizeof(words), resource->id))
		user_read(task, &words.lock, sizeof(words.lock), resource->id);
	resource->owner = futex_owner(operation, &words);
	futex_read_timeout(resource, task, operation, call_argument(regs, 3));
}

#endif
