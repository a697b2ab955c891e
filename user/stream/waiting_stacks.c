// SPDX-License-Identifier: GPL-2.0-only
/* Walks that are stuck in an address space that nothing is known of yet. */
#include "stream/waiting_stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct waiting_stack {
	struct scaler_stuck_event *event; /* owned */
	bool asked;                       /* its address space has been */
};

static size_t event_bytes(const struct scaler_stuck_event *event)
{
	return sizeof(*event) + (size_t)event->copy_pages * SCALER_COPY_PAGE;
}

int waiting_stacks_add(struct waiting_stacks *waiting, const struct scaler_stuck_event *event)
{
	size_t bytes = event_bytes(event);
	struct waiting_stack *stacks =
		array_reserve(waiting->stacks, waiting->count, &waiting->capacity, sizeof(*waiting->stacks));
	struct scaler_stuck_event *copy;

	if (!stacks)
		return -ENOMEM;
	waiting->stacks = stacks;
	copy = malloc(bytes);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, event, bytes);
	stacks[waiting->count++] = (struct waiting_stack){ .event = copy };
	waiting->bytes += bytes;
	return 0;
}

static int finish_one(struct waiting_stacks *waiting, size_t at, finish_stack finish, void *context)
{
	struct scaler_stuck_event *event = waiting->stacks[at].event;
	int err = finish(context, event);

	waiting->bytes -= event_bytes(event);
	free(event);
	return err;
}

int waiting_stacks_finish(struct waiting_stacks *waiting, uint64_t address_space, finish_stack finish,
			  void *context)
{
	size_t left = 0;
	int err = 0;

	for (size_t i = 0; i < waiting->count; i++) {
		if (waiting->stacks[i].event->address_space == address_space) {
			int this_err = finish_one(waiting, i, finish, context);

			err = err ?: this_err;
		} else {
			waiting->stacks[left++] = waiting->stacks[i];
		}
	}
	waiting->count = left;
	return err;
}

int waiting_stacks_shrink(struct waiting_stacks *waiting, size_t bytes, finish_stack finish, void *context)
{
	size_t gone = 0;
	int err = 0;

	while (waiting->bytes > bytes) {
		int this_err = finish_one(waiting, gone++, finish, context);

		err = err ?: this_err;
	}
	waiting->count -= gone;
	if (gone)
		memmove(waiting->stacks, waiting->stacks + gone, waiting->count * sizeof(*waiting->stacks));
	return err;
}

bool waiting_stacks_next_to_ask(struct waiting_stacks *waiting, pid_t *tgid)
{
	const struct scaler_stuck_event *event = NULL;

	for (size_t i = 0; i < waiting->count; i++) {
		struct waiting_stack *stack = &waiting->stacks[i];

		if (!event && !stack->asked)
			event = stack->event;
		if (event && stack->event->address_space == event->address_space)
			stack->asked = true;
	}
	if (event)
		*tgid = (pid_t)event->tgid;
	return event;
}

void waiting_stacks_clear(struct waiting_stacks *waiting)
{
	for (size_t i = 0; i < waiting->count; i++)
		free(waiting->stacks[i].event);
	free(waiting->stacks);
	*waiting = (struct waiting_stacks){ 0 };
}
