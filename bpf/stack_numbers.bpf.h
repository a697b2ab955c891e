/* SPDX-License-Identifier: GPL-2.0-only */
/* The number of each stack, and how user space is told what a new one stands for. */
#ifndef SCALER_STACK_NUMBERS_BPF_H
#define SCALER_STACK_NUMBERS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/event.h>
#include "hash_map.bpf.h"
#include "maps.bpf.h"
#include "stuck.bpf.h"

struct known_stack {
	u64 check; /* the walk's second hash */
	u32 number;
	u32 guard; /* known_stack_guard() */
};

/* An entry that was deleted can be another stack's while it is read: its number must go with the check. */
static __always_inline u32 known_stack_guard(u64 check, u32 number)
{
	return (u32)check ^ number * 0x9e3779b1;
}

/* The numbers of stacks, by the walk's first hash. */
HASH_MAP(65536, u64, struct known_stack) stack_numbers __weak SEC(".maps");

static __always_inline u32 known_stack_number(const struct known_stack *known, u64 check)
{
	u32 number;

	if (!known || known->check != check)
		return SCALER_STACK_NONE;
	number = *(volatile const u32 *)&known->number;
	return *(volatile const u32 *)&known->guard == known_stack_guard(check, number) ? number :
											  SCALER_STACK_NONE;
}

/* The number that the stack has been given before. */
static __always_inline u32 stack_number_find(struct walk *walk)
{
	const struct known_stack *known;

	walk->key = walk->hash;
	scaler_stack_hash_add(&walk->key, walk->stack.end);
	known = bpf_map_lookup_elem(&stack_numbers, &walk->key.hash);
	return known_stack_number(known, walk->key.check);
}

/* A number for a stack that has none; user space is told what it stands for. */
static __noinline u32 stack_number_give(struct walk *walk)
{
	struct known_stack fresh = { .check = walk->key.check };
	u32 count = walk->stack.count, size, number;

	fresh.number = walk->stack.stack = stack_number_next();
	fresh.guard = known_stack_guard(fresh.check, fresh.number);
	if (bpf_map_update_elem(&stack_numbers, &walk->key.hash, &fresh, BPF_NOEXIST)) {
		/* Another CPU may have been faster. */
		number =
			known_stack_number(bpf_map_lookup_elem(&stack_numbers, &walk->key.hash), fresh.check);
		if (number)
			return number;
		loss_count(SCALER_LOSS_STACK_MAP);
		return SCALER_STACK_NONE;
	}
	if (count > SCALER_STACK_FRAMES)
		return SCALER_STACK_NONE;
	size = count * sizeof(u64);
	barrier_var(size); /* added, not put together bit by bit, it has a bound for the verifier */
	size += sizeof(walk->stack) - sizeof(walk->stack.sites);
	if (!bpf_ringbuf_output(&events, &walk->stack, size, event_wakes_late()))
		return fresh.number;
	bpf_map_delete_elem(&stack_numbers, &walk->key.hash);
	loss_count(SCALER_LOSS_STACK_EVENT);
	return SCALER_STACK_NONE;
}

static long read_word(void *context, u64 address, u64 *word)
{
	return bpf_probe_read_user(word, sizeof(*word), (void *)address);
}

/*
 * Gives the stack a number of its own, for user space to find out what it stands for. Returns SCALER_STACK_NONE
 * if that cannot be told now.
 */
static __always_inline u32 stuck_leave(struct task_struct *task, struct walk *walk)
{
	struct scaler_frame *frame = &walk->frame;

	/* What was saved below, in frames that have been walked, is not in the copy. */
	if (scaler_register_read(&frame->rbp, &frame->rbp_at, read_word, NULL))
		frame->rbp_at = SCALER_REGISTER_LOST;
	if (scaler_register_read(&frame->rbx, &frame->rbx_at, read_word, NULL))
		frame->rbx_at = SCALER_REGISTER_LOST;
	walk->stack.stack = stack_number_next();
	if (stuck_send(walk, task, true))
		return walk->stack.stack;
	loss_count(SCALER_LOSS_STACK_EVENT);
	walk->stack.end = SCALER_STACK_NOT_COPIED;
	return SCALER_STACK_NONE;
}

#endif
