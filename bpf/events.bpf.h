/* SPDX-License-Identifier: GPL-2.0-only */
/* The ring buffer of event.h, and the event that tells an address space's mappings. */
#ifndef SCALER_EVENTS_BPF_H
#define SCALER_EVENTS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include "address_space.bpf.h"
#include "compat.bpf.h"
#include "scratch.bpf.h"
#include "site.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 32 << 20); /* bytes */
} events __weak SEC(".maps");

/* How much of the buffer is unread, rounded down. */
static __always_inline u64 events_unread_eighths(void)
{
	return 8 * bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) /
	       bpf_ringbuf_query(&events, BPF_RB_RING_SIZE);
}

/*
 * User space is waked at once by what is stuck, because the next walk will be too. All else can wait, as long as there
 * is room: waking costs the traced thread its CPU.
 */
static __always_inline u64 event_wakes_late(void)
{
	return events_unread_eighths() ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

/* Where a walk puts an address space's description together, as there are walks. */
SCRATCHES(descriptions, struct scaler_address_space_event, 2);

/* include/linux/mm.h; pages of code that can be written to, or are a stack, are not counted as such. */
#define VM_WRITE     2
#define VM_GROWSDOWN 0x100

/* A list being made, which has come to walk.node: a struct vm_area_struct. */
struct mapping_listing {
	struct task_struct *task;
	struct scaler_address_space_event *description;
	struct maple_walk walk;
	u64 leaf; /* whose slot it came to; with its type */
	u64 leaf_last;
	struct moved_code moved; /* of that mapping's start */
};

static __always_inline void listing_find_moved(struct mapping_listing *listing)
{
	struct vm_area_struct *vma = (void *)listing->walk.node;

	listing->moved.neighbour = 0;
	if (!vma || BPF_CORE_READ(vma, vm_file))
		return;
	moved_code_find(listing->task, vma, &listing->walk, &listing->moved);
	/* The list goes on from there, from the root on. */
	listing->walk.node = (u64)vma;
	listing->walk.last = listing->leaf_last = BPF_CORE_READ(vma, vm_end) - 1;
}

/* Appends a mapping if it is of code. */
static __always_inline void description_add(struct mapping_listing *listing)
{
	struct vm_area_struct *vma = (void *)listing->walk.node;
	struct scaler_address_space_event *description = listing->description;
	struct site_search search = {};
	u64 count, end;

	if (!vma || !description)
		return;
	if (!(BPF_CORE_READ(vma, vm_flags) & VM_EXEC))
		return;
	search.address = BPF_CORE_READ(vma, vm_start);
	search.site = scaler_site(0, search.address);
	search.moved = listing->moved;
	site_find_in(listing->task, vma, &search);
	end = BPF_CORE_READ(vma, vm_end);
	/* As if it was missed: with interrupts disabled there is memory for a few new components only. */
	if (!scaler_site_component(search.site))
		description->unnamed++;
	else if (!(BPF_CORE_READ(vma, vm_flags) & (VM_WRITE | VM_GROWSDOWN)))
		description->code_pages += (end - search.address) >> page_shift;
	count = description->count;
	barrier_var(count); /* the check must be on the register that indexes */
	if (count >= SCALER_MAPPINGS) {
		description->truncated = true;
		return;
	}
	description->mappings[count].start = search.address;
	description->mappings[count].end = end;
	description->mappings[count].site = search.site;
	description->mappings[count].generated = search.anonymous;
	description->mappings[count].application = search.application;
	description->count = count + 1;
}

#define LISTING_STEPS (1 << 18) /* a process has no more than vm.max_map_count mappings, 65,530 */

/* From there to what is behind it. False: there is nothing. */
static __always_inline bool listing_next(struct mapping_listing *listing)
{
	struct maple_walk *walk = &listing->walk;

	walk->address = walk->last + 1;
	if (walk->last < listing->leaf_last) {
		walk->node = listing->leaf;
		walk->last = listing->leaf_last;
		walk->slot++;
	} else {
		maple_begin(walk, listing->task);
	}
	return walk->address;
}

/* Goes on from there to a mapping of code, walk.node; 0: there is none. */
static long mapping_find_code(u32 index, void *data)
{
	struct mapping_listing *listing = data;
	struct vm_area_struct *mapping;

	listing->leaf = listing->walk.node;
	listing->leaf_last = listing->walk.last;
	if (!maple_step(&listing->walk))
		return 0;
	mapping = maple_mapping(&listing->walk, listing->task);
	if (mapping && BPF_CORE_READ(mapping, vm_flags) & VM_EXEC)
		return 1;
	if (listing_next(listing))
		return 0;
	listing->walk.node = 0;
	return 1;
}

static long mapping_list_code(u32 index, void *data)
{
	struct mapping_listing *listing = data;

	bpf_loop(LISTING_STEPS, mapping_find_code, listing, 0);
	listing_find_moved(listing);
	description_add(listing);
	return !listing->walk.node || !listing_next(listing);
}

static __noinline void mappings_list(struct task_struct *task, struct scaler_address_space_event *description)
{
	struct mapping_listing listing = {
		.task = task,
		.description = description,
		.walk = { .address = maple_zero },
		.leaf = maple_zero,
		.leaf_last = maple_zero,
	};

	maple_begin(&listing.walk, task);
	bpf_loop(LISTING_STEPS, mapping_list_code, &listing, 0);
}

/* After so many lists of a part, that is told: the kernel may count otherwise. */
#define PARTIAL_LIMIT 32

#define RWSEM_WRITER_LOCKED 1 /* kernel/locking/rwsem.c */

/* Whether somebody changes the task's mappings, or copies them. */
static __always_inline bool mappings_are_locked(struct task_struct *task)
{
	return bpf_core_field_exists(struct mm_struct, mmap_lock.count) &&
	       BPF_CORE_READ(task, mm, mmap_lock.count.counter) & RWSEM_WRITER_LOCKED;
}

/*
 * False: it has not all that there are. The list passes over those that are locked just then (by a fork, measured on
 * 6.18), which must not be taken for code that is not there; a fork that has lost its CPU lasts for many walks.
 */
static __noinline bool description_send(struct task_struct *task, struct address_space *space,
					const struct scaler_address_space_event *description)
{
	u32 count, size;

	if (!space || !description)
		return false;
	count = description->count;
	if (!count || count > SCALER_MAPPINGS)
		return false;
	if (description->code_pages < BPF_CORE_READ(task, mm, exec_vm) &&
	    (mappings_are_locked(task) || space->partial++ < PARTIAL_LIMIT))
		return false;
	if (description->unnamed)
		loss_count(SCALER_LOSS_COMPONENT_MAP);
	size = count * sizeof(struct scaler_mapping);
	barrier_var(size); /* added, not put together bit by bit, it has a bound for the verifier */
	size += sizeof(*description) - sizeof(description->mappings);
	return !bpf_ringbuf_output(&events, (void *)description, size, BPF_RB_NO_WAKEUP);
}

/*
 * Tells user space the mappings of the task's address space. Once for each number,
 * and again when it has grown or shrunk; twice if two threads get stuck at once. False: user space has not been told.
 */
static __always_inline bool address_space_tell(struct task_struct *task, const u64 *key, u64 number,
					       struct scaler_address_space_event *description)
{
	struct address_space *space = address_space_get(key);
	u64 extent = address_space_extent(key);

	if (!space || !description || !number || address_space_read(space, key) != number)
		return false;
	if (space->described != extent) {
		description->kind = SCALER_EVENT_ADDRESS_SPACE;
		description->count = 0;
		description->address_space = number;
		description->truncated = false;
		description->unnamed = 0;
		description->code_pages = 0;
		if (kernel_has_mapping_tree())
			mappings_list(task, description);
		space->described = description_send(task, space, description) ? extent : 0;
	}
	if (space->described)
		address_space_paid(space);
	else
		address_space_owe(space);
	return space->described;
}

#endif
