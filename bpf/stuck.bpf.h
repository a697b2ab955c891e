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
#include "code.bpf.h"
#include "events.bpf.h"
#include "maps.bpf.h"
#include "numbers.bpf.h"
#include "scratch.bpf.h"
#include "trampoline.bpf.h"

/* A walk under way. */
struct walk {
	struct scaler_frame frame;
	struct scaler_known_code
		code; /* at its pc; here, because the verifier would follow what it knew of a local one */
	u64 address_space;
	u64 trampoline;                /* where functions return to whose returns are probed; 0: none */
	struct scaler_stack_hash hash; /* of the sites */
	struct scaler_stack_hash key;  /* the end with them */
	bool is_stuck;
	bool is_kept;     /* all of it as one template */
	bool has_gaps;    /* the stack's sites are not all set, because templates stood for them */
	bool in_full;     /* without templates */
	bool is_atomic;   /* mappings cannot be looked at now */
	bool interrupted; /* the frame's pc is of an instruction that has not been executed */
	bool is_replaced; /* a word that was read is another now, because of a probe */
	bool begins_new;  /* the innermost frame's site was not known in the address space */
	struct scaler_recording recording;
	struct scaler_stack_event stack;
};

/* For each CPU one of each kind. */
SCRATCHES(walks, struct walk, WALK_KINDS);

__u32 last_stack __weak;

static __always_inline u32 stack_number_next(void)
{
	return __sync_fetch_and_add(&last_stack, 1) + 1;
}

static long end_of_mapping(struct task_struct *task, struct vm_area_struct *vma, void *end)
{
	*(u64 *)end = vma->vm_end;
	return 0;
}

/* What is to be copied, of whose stack. */
struct stack_part {
	struct task_struct *task;
	u64 start;
	u64 pages;
	struct scaler_stuck_event *event; /* to what, and how many pages that has room for */
	u64 limit;
};

typedef long (*read_page)(struct task_struct *task, void *page, u64 at);

static __always_inline long read_page_of_current(struct task_struct *task, void *page, u64 at)
{
	return bpf_probe_read_user(page, SCALER_COPY_PAGE, (void *)at);
}

static __always_inline long read_page_of_other(struct task_struct *task, void *page, u64 at)
{
	return bpf_copy_from_user_task(page, SCALER_COPY_PAGE, (void *)at, task, 0);
}

static __always_inline long stack_copy_page(struct stack_part *part, u64 page, read_page read)
{
	barrier_var(page); /* the check must be on the register that is added */
	if (page >= part->limit)
		return 1;
	if (read(part->task, part->event->copy + page * SCALER_COPY_PAGE,
		 part->start + page * SCALER_COPY_PAGE))
		part->event->missing |= 1ULL << page;
	return 0;
}

static long stack_copy_page_of_current(u32 page, void *part)
{
	return stack_copy_page(part, page, read_page_of_current);
}

/* For programs that may sleep, and in none that may not. */
static long stack_copy_page_of_other(u32 page, void *part)
{
	return stack_copy_page(part, page, read_page_of_other);
}

/* A record is reserved with a constant size, so there are some: limit is the pages that one holds. */
static __always_inline bool stuck_send_part(const struct walk *walk, struct stack_part *part, bool is_current,
					    const u32 limit)
{
	struct scaler_stuck_event *event =
		bpf_ringbuf_reserve(&events, sizeof(*event) + limit * SCALER_COPY_PAGE, 0);

	if (!event)
		return false;
	bpf_probe_read_kernel(&event->stack, sizeof(event->stack), &walk->stack);
	event->stack.kind = SCALER_EVENT_STUCK;
	event->frame = walk->frame;
	event->address_space = walk->address_space;
	event->tgid = process_number(part->task);
	event->copy_start = part->start;
	event->copy_pages = part->pages;
	event->interrupted = walk->interrupted;
	event->zero = 0;
	event->missing = 0;
	part->event = event;
	part->limit = limit;
	if (is_current)
		bpf_loop(part->pages, stack_copy_page_of_current, part, 0);
	else
		bpf_loop(part->pages, stack_copy_page_of_other, part, 0);
	trampoline_restore(event, part->task, walk->trampoline, limit);
	bpf_ringbuf_submit(event, BPF_RB_FORCE_WAKEUP);
	return true;
}

/*
 * Tells user space where the walk is stuck. False: there is no room now. The last eighth of the buffer is not for copies,
 * which are large, and as many as there are walks until user space has learned: waits and stacks, which are short, are
 * not lost by them.
 */
static __always_inline bool stuck_send(const struct walk *walk, struct task_struct *task, bool is_current)
{
	struct stack_part part = { task, walk->frame.sp & ~(SCALER_COPY_PAGE - 1ULL), 4, NULL, 0 };
	u64 end = 0;

	if (events_unread_eighths() == 7)
		return false;
	bpf_find_vma(task, walk->frame.sp, end_of_mapping, &end, 0);
	if (end > part.start)
		part.pages = (end - part.start) / SCALER_COPY_PAGE;
	if (part.pages <= 1)
		return stuck_send_part(walk, &part, is_current, 1);
	if (part.pages <= 2)
		return stuck_send_part(walk, &part, is_current, 2);
	if (part.pages <= 4)
		return stuck_send_part(walk, &part, is_current, 4);
	if (part.pages <= 16)
		return stuck_send_part(walk, &part, is_current, 16);
	if (part.pages > SCALER_COPY_PAGES)
		part.pages = SCALER_COPY_PAGES;
	return stuck_send_part(walk, &part, is_current, SCALER_COPY_PAGES);
}

#endif
