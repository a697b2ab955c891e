/* SPDX-License-Identifier: GPL-2.0-only */
/* Walks that are stuck in an address space that nothing is known of yet, kept until it is told, within a bound. */
#ifndef SCALER_STREAM_WAITING_STACKS_H
#define SCALER_STREAM_WAITING_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <scaler/event.h>

struct waiting_stack;

/* Empty, if all is 0. */
struct waiting_stacks {
	struct waiting_stack *stacks; /* owned; the oldest first */
	size_t count;
	size_t capacity;
	size_t bytes; /* of their events */
};

/* What is to be done with one that need not wait any longer. Returns 0 or a negative errno. */
typedef int (*finish_stack)(void *context, const struct scaler_stuck_event *event);

/* Copies the event with its copy of the stack. Returns 0 or -ENOMEM. */
int waiting_stacks_add(struct waiting_stacks *waiting, const struct scaler_stuck_event *event);

/* Those of one address space. Returns 0, or the first error; they are gone all the same. */
int waiting_stacks_finish(struct waiting_stacks *waiting, uint64_t address_space, finish_stack finish,
			  void *context);

/* The oldest, until the events of the others take so many bytes at most; 0: all. As above. */
int waiting_stacks_shrink(struct waiting_stacks *waiting, size_t bytes, finish_stack finish, void *context);

/*
 * A process whose address space some wait for and was not asked for on behalf of these: tgid, as its event has it.
 * Each is named once. Returns whether there is one.
 */
bool waiting_stacks_next_to_ask(struct waiting_stacks *waiting, pid_t *tgid);

void waiting_stacks_clear(struct waiting_stacks *waiting);

#endif
