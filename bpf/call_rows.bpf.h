/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the row of a thread's call is: the first calls of a thread have near rows, which its state names by
 * their index, because hashing is the dearest part of recording a call; all others are in the map call_fold.
 * A call that has been given its place keeps it, so no call is in both.
 */
#ifndef SCALER_CALL_ROWS_BPF_H
#define SCALER_CALL_ROWS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include "likely.bpf.h"
#include "maps.bpf.h"
#include "site.bpf.h"

/* Not weak: each object's own would take room, and time to load. */
extern struct scaler_call_row near_rows[SCALER_NEAR_ROWS];
/* A ring of the indices of those that are free. User space gives, also while the recording goes on. */
__u32 free_rows[SCALER_NEAR_ROWS] __weak;
__u64 free_rows_given __weak;
__u64 free_rows_taken __weak;

/* What a new row begins as; too large for the stack. */
static const struct scaler_call_stats empty_stats;

static __always_inline bool near_call_is(const struct near_call *call, const struct scaler_call_key *key)
{
	return call->site == key->site && *(u32 *)&call->id == *(u32 *)&key->id &&
	       call->stack == key->stack && call->context == key->context;
}

/* A new near row for a call, as struct near_call has it. */
static __always_inline u32 near_row_take(const struct scaler_call_key *key)
{
	u64 taken = free_rows_taken, index;

	/* The one that loses a race for one goes far, too: rare, and never a loop. */
	if (taken >= *(volatile u64 *)&free_rows_given ||
	    __sync_val_compare_and_swap(&free_rows_taken, taken, taken + 1) != taken)
		return NEAR_CALL_IS_FAR;
	index = free_rows[taken & (SCALER_NEAR_ROWS - 1)];
	if (index >= SCALER_NEAR_ROWS)
		return NEAR_CALL_IS_FAR;
	near_rows[index].key.site = key->site;
	near_rows[index].key.id = key->id;
	near_rows[index].key.stack = key->stack;
	near_rows[index].key.context = key->context;
	/* Last, and ordered: what sees it may read the others. */
	__sync_lock_test_and_set(&near_rows[index].key.task, key->task);
	return index + 1;
}

/* By what of an address is the same wherever its component is mapped. */
static __always_inline struct near_call *near_calls_of_set(struct task_state *state, u64 address, u64 number)
{
	u64 offset = address & 0xfff, set = offset ^ offset >> NEAR_SET_BITS ^ number;

	barrier_var(set);
	return state->near_calls[set & ((1 << NEAR_SET_BITS) - 1)];
}

static __always_inline struct scaler_call_stats *near_row(u32 number)
{
	u64 index = number - 1;

	barrier_var(index); /* the check must be on the register that indexes */
	if (unlikely(index >= SCALER_NEAR_ROWS))
		return NULL;
	barrier_var(index);
	return &near_rows[index & (SCALER_NEAR_ROWS - 1)].stats;
}

static struct scaler_call_stats *far_row_get(struct scaler_call_key *key)
{
	struct scaler_call_stats *stats = bpf_map_lookup_elem(&call_fold, key);

	if (stats)
		return stats;
	if (bpf_map_update_elem(&call_fold, key, &empty_stats, BPF_NOEXIST)) {
		loss_count(SCALER_LOSS_CALL_MAP);
		return NULL;
	}
	row_count(SCALER_ROWS_CALLS);
	return bpf_map_lookup_elem(&call_fold, key);
}

/* The call in its set, first there from now on; NULL if it is not, and the set is full. */
static __always_inline struct near_call *near_call_find(struct near_call *set,
							const struct scaler_call_key *key)
{
	struct near_call found;
	int way = 0;

	for (way = 0; way < NEAR_WAYS; way++) {
		if (!set[way].row || near_call_is(&set[way], key))
			break;
	}
	if (way == NEAR_WAYS)
		return NULL;
	if (!set[way].row) {
		set[way].site = key->site;
		set[way].id = key->id;
		set[way].stack = key->stack;
		set[way].context = key->context;
		set[way].row = near_row_take(key);
	}
	found = set[way];
	set[way] = set[0];
	set[0] = found;
	return &set[0];
}

/* Of a call whose row was not known when it was entered. */
static __noinline struct scaler_call_stats *call_row_search(struct task_state *state,
							    struct scaler_call_key *key)
{
	struct near_call *call = near_call_find(near_calls_of_set(state, key->site, key->id.number), key);

	return (call ? near_row(call->row) : NULL) ?: far_row_get(key);
}

/* For call_row_get(), while other work is done: the row of a call that is being entered, if it is first. */
static __always_inline u32 call_row_expect(struct task_state *state, const struct scaler_open_call *call)
{
	const struct near_call *first = near_calls_of_set(state, call->site, call->id.number);

	return first->site == call->site && *(u32 *)&first->id == *(u32 *)&call->id &&
			       first->stack == call->stack && first->context == call->context ?
		       first->row :
		       0;
}

static __always_inline struct scaler_call_stats *call_row_get(struct task_state *state,
							      struct scaler_call_key *key)
{
	return near_row(state->thread.call.row) ?: call_row_search(state, key);
}

#endif
