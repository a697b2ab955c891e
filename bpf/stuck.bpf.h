/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk that is stuck, at an instruction without a rule or because the mappings cannot be looked at now: what
 * user space needs to go on with it, and to learn the rules that it takes.
 */
#ifndef SCALER_STUCK_BPF_H
#define SCALER_STUCK_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include <scaler/stack_recording.h>
#include "address_space.bpf.h"
#include "code.bpf.h"
#include "maps.bpf.h"
#include "numbers.bpf.h"
#include "site.bpf.h"

/* A walk under way. */
struct walk {
	struct scaler_frame frame;
	struct known_code
		code; /* at its pc; here, because the verifier would follow what it knew of a local one */
	u64 address_space;
	struct scaler_stack_hash hash; /* of the sites */
	struct scaler_stack_hash key;  /* the end with them */
	bool is_stuck;
	bool is_kept;    /* all of it as one template */
	bool has_gaps;   /* the stack's sites are not all set, because templates stood for them */
	bool in_full;    /* without templates */
	bool begins_new; /* the innermost frame's site was not known in the address space */
	struct scaler_recording recording;
	struct scaler_stack_event stack;
};

/* One for each CPU: nothing that walks is preempted by what walks. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct walk);
} walks __weak SEC(".maps");

/* Where an address space's description is put together. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct scaler_address_space_event);
} descriptions __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20); /* bytes */
} events __weak SEC(".maps");

__u32 last_stack __weak;

/*
 * User space is waked at once by what is stuck, because the next walk will be too. All else can wait, as long as there
 * is room: waking costs the traced thread its CPU.
 */
static __always_inline u64 event_wakes_late(void)
{
	u64 unread = bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA);

	return unread > bpf_ringbuf_query(&events, BPF_RB_RING_SIZE) / 8 ? BPF_RB_FORCE_WAKEUP :
									   BPF_RB_NO_WAKEUP;
}

static __always_inline u32 stack_number_next(void)
{
	return __sync_fetch_and_add(&last_stack, 1) + 1;
}

static long read_word(void *context, u64 address, u64 *word)
{
	return bpf_probe_read_user(word, sizeof(*word), (void *)address);
}

/* Appends a mapping if it is of code. */
static __noinline void description_add(struct task_struct *task, struct vm_area_struct *vma,
				       struct scaler_address_space_event *description)
{
	struct site_search search = {};
	u64 count;

	if (!vma || !description)
		return;
	search.address = vma->vm_start;
	search.site = scaler_site(0, search.address);
	site_of_mapping(task, vma, &search);
	if (!search.executable)
		return;
	count = description->count;
	barrier_var(count); /* the check must be on the register that indexes */
	if (count >= SCALER_MAPPINGS) {
		description->truncated = true;
		return;
	}
	description->mappings[count].start = vma->vm_start;
	description->mappings[count].end = vma->vm_end;
	description->mappings[count].site = search.site;
	description->mappings[count].generated = search.anonymous;
	description->mappings[count].application = search.application;
	description->count = count + 1;
}

/* Tells user space the mappings of the current task's address space. False: they cannot be told now. */
static __noinline bool address_space_describe(struct task_struct *task, u64 number)
{
	u32 zero = 0, count, size;
	struct scaler_address_space_event *description = bpf_map_lookup_elem(&descriptions, &zero);
	struct bpf_iter_task_vma iterator;
	struct vm_area_struct *vma;

	if (!description || !kernel_lists_mappings())
		return false;
	description->kind = SCALER_EVENT_ADDRESS_SPACE;
	description->count = 0;
	description->address_space = number;
	description->truncated = false;
	bpf_iter_task_vma_new(&iterator, task, 0);
	while ((vma = bpf_iter_task_vma_next(&iterator)))
		description_add(task, vma, description);
	bpf_iter_task_vma_destroy(&iterator);
	count = description->count;
	if (!count || count > SCALER_MAPPINGS)
		return false;
	size = count * sizeof(struct scaler_mapping);
	barrier_var(size); /* added, not put together bit by bit, it has a bound for the verifier */
	size += sizeof(*description) - sizeof(description->mappings);
	return !bpf_ringbuf_output(&events, description, size, BPF_RB_NO_WAKEUP);
}

/* Once for each number; twice if two threads get stuck at once. */
static __always_inline void address_space_tell(struct task_struct *task, struct known_sites *known,
					       u64 number)
{
	struct address_space *space = address_space_get(task, known);

	if (space && space->number == number && !space->described)
		space->described = address_space_describe(task, number);
}

static long end_of_mapping(struct task_struct *task, struct vm_area_struct *vma, void *end)
{
	*(u64 *)end = vma->vm_end;
	return 0;
}

/* Copies count pages of the stack. */
static __always_inline void stack_copy(struct scaler_stuck_event *event, u32 count, const u32 limit)
{
	event->missing = 0;
	for (u32 page = 0; page < limit; page++) {
		u64 at = event->copy_start + page * SCALER_COPY_PAGE;

		if (page >= count)
			break;
		if (bpf_probe_read_user(event->copy + page * SCALER_COPY_PAGE, SCALER_COPY_PAGE, (void *)at))
			event->missing |= 1ULL << page;
	}
	event->copy_pages = count;
}

/* A record is reserved with a constant size, so there are some: limit is the pages that one holds. */
static __always_inline bool stuck_send(struct walk *walk, u64 start, u32 count, const u32 limit)
{
	struct scaler_stuck_event *event =
		bpf_ringbuf_reserve(&events, sizeof(*event) + limit * SCALER_COPY_PAGE, 0);

	if (!event)
		return false;
	bpf_probe_read_kernel(&event->stack, sizeof(event->stack), &walk->stack);
	event->stack.kind = SCALER_EVENT_STUCK;
	event->frame = walk->frame;
	event->address_space = walk->address_space;
	event->copy_start = start;
	event->tgid = process_number(bpf_get_current_task_btf());
	stack_copy(event, count, limit);
	bpf_ringbuf_submit(event, BPF_RB_FORCE_WAKEUP);
	return true;
}

/*
 * Gives the stack a number of its own, for user space to find out what it stands for. Returns SCALER_STACK_NONE
 * if that cannot be told now.
 */
static __noinline u32 stuck_tell(struct task_struct *task, struct known_sites *known, struct walk *walk)
{
	struct scaler_frame *frame;
	u64 start, end = 0, count;
	bool sent;

	if (!known || !walk)
		return SCALER_STACK_NONE;
	frame = &walk->frame;
	start = frame->sp & ~(SCALER_COPY_PAGE - 1ULL);
	address_space_tell(task, known, walk->address_space);
	/* What was saved below, in frames that have been walked, is not in the copy. */
	if (scaler_register_read(&frame->rbp, &frame->rbp_at, read_word, NULL))
		frame->rbp_at = SCALER_REGISTER_LOST;
	if (scaler_register_read(&frame->rbx, &frame->rbx_at, read_word, NULL))
		frame->rbx_at = SCALER_REGISTER_LOST;
	walk->stack.stack = stack_number_next();
	bpf_find_vma(task, frame->sp, end_of_mapping, &end, 0);
	count = end > start ? (end - start) / SCALER_COPY_PAGE : 4;
	if (count <= 1)
		sent = stuck_send(walk, start, count, 1);
	else if (count <= 2)
		sent = stuck_send(walk, start, count, 2);
	else if (count <= 4)
		sent = stuck_send(walk, start, count, 4);
	else if (count <= 16)
		sent = stuck_send(walk, start, count, 16);
	else
		sent = stuck_send(walk, start, count < SCALER_COPY_PAGES ? count : SCALER_COPY_PAGES,
				  SCALER_COPY_PAGES);
	if (sent)
		return walk->stack.stack;
	loss_count(SCALER_LOSS_STACK_EVENT);
	walk->stack.end = SCALER_STACK_NOT_COPIED;
	return SCALER_STACK_NONE;
}

#endif
