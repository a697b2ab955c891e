/* SPDX-License-Identifier: GPL-2.0-only */
/* Stacks by number, each kept once: rows name theirs by its number. */
#ifndef SCALER_MODEL_STACKS_H
#define SCALER_MODEL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scaler/stack.h>

struct stack {
	uint32_t number;
	enum scaler_stack_end end;
	bool unsure;  /* callers may be missing, as scaler_frame.unsure says */
	size_t first; /* of its sites in stacks.sites, from the innermost frame on */
	size_t count;
};

struct stacks {
	struct stack *items; /* owned; as they were added */
	size_t count;
	size_t capacity;
	__u64 *sites; /* owned */
	size_t site_count;
	size_t site_capacity;
	size_t sorted; /* the first so many items are in the order of their numbers */
};

/* Takes a copy of the sites; the number is new. Returns 0 or -ENOMEM. */
int stacks_add(struct stacks *stacks, uint32_t number, enum scaler_stack_end end, const __u64 *sites,
	       size_t count, bool unsure);

/* Makes *copy, which is empty, the same. Returns 0 or -ENOMEM. */
int stacks_copy(struct stacks *copy, const struct stacks *stacks);

/* How many of them may lack callers. */
size_t stacks_count_unsure(const struct stacks *stacks);

/* The stack of that number, or NULL. */
const struct stack *stacks_find(struct stacks *stacks, uint32_t number);

void stacks_clear(struct stacks *stacks);

/* Why it is cut, in a few words; SCALER_STACK_GOES_ON stands for a stack that is not known. */
const char *stack_end_text(enum scaler_stack_end end);

#endif
