// SPDX-License-Identifier: GPL-2.0-only
/* Walks that wait for their address space: asked for once, finished in the order in which they came, within a bound. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stream/waiting_stacks.h"

#define EVENT_BYTES(pages) (sizeof(struct scaler_stuck_event) + (size_t)(pages)*SCALER_COPY_PAGE)

struct finished {
	uint32_t stacks[16];
	size_t count;
	int err; /* of each */
};

static int finish(void *context, const struct scaler_stuck_event *event)
{
	struct finished *finished = context;
	size_t last = (size_t)event->copy_pages * SCALER_COPY_PAGE;

	/* All of it was kept. */
	for (size_t i = 0; i < last; i++)
		cr_assert_eq(event->copy[i], (uint8_t)event->stack.stack);
	finished->stacks[finished->count++] = event->stack.stack;
	return finished->err;
}

static void add(struct waiting_stacks *waiting, uint32_t stack, uint64_t address_space, uint32_t pages)
{
	struct scaler_stuck_event *event = calloc(1, EVENT_BYTES(pages));

	cr_assert_not_null(event);
	event->stack.stack = stack;
	event->address_space = address_space;
	event->tgid = (uint32_t)address_space + 1000;
	event->copy_pages = pages;
	memset(event->copy, (int)stack, (size_t)pages * SCALER_COPY_PAGE);
	cr_assert_eq(waiting_stacks_add(waiting, event), 0);
	free(event);
}

static void expect(const struct finished *finished, size_t count, const uint32_t *stacks)
{
	cr_assert_eq(finished->count, count);
	for (size_t i = 0; i < count; i++)
		cr_expect_eq(finished->stacks[i], stacks[i], "%zu", i);
}

Test(waiting_stacks, those_of_one_address_space)
{
	struct waiting_stacks waiting = { 0 };
	struct finished finished = { 0 };

	for (uint32_t stack = 1; stack <= 9; stack++)
		add(&waiting, stack, stack % 3, stack % 2);
	cr_expect_eq(waiting_stacks_finish(&waiting, 2, finish, &finished), 0);
	expect(&finished, 3, (uint32_t[]){ 2, 5, 8 });
	cr_expect_eq(waiting_stacks_finish(&waiting, 2, finish, &finished), 0);
	cr_expect_eq(waiting_stacks_finish(&waiting, 7, finish, &finished), 0);
	cr_expect_eq(finished.count, 3);
	cr_expect_eq(waiting_stacks_shrink(&waiting, 0, finish, &finished), 0);
	expect(&finished, 9, (uint32_t[]){ 2, 5, 8, 1, 3, 4, 6, 7, 9 });
	cr_expect_eq(waiting.count, 0);
	cr_expect_eq(waiting.bytes, 0);
	waiting_stacks_clear(&waiting);
}

Test(waiting_stacks, the_oldest_give_way)
{
	struct waiting_stacks waiting = { 0 };
	struct finished finished = { 0 };

	for (uint32_t stack = 1; stack <= 5; stack++)
		add(&waiting, stack, stack, 2);
	cr_expect_eq(waiting_stacks_shrink(&waiting, 5 * EVENT_BYTES(2), finish, &finished), 0);
	cr_expect_eq(finished.count, 0);
	cr_expect_eq(waiting_stacks_shrink(&waiting, 4 * EVENT_BYTES(2) - 1, finish, &finished), 0);
	expect(&finished, 2, (uint32_t[]){ 1, 2 });
	add(&waiting, 6, 6, 0);
	cr_expect_eq(waiting_stacks_shrink(&waiting, EVENT_BYTES(0), finish, &finished), 0);
	expect(&finished, 5, (uint32_t[]){ 1, 2, 3, 4, 5 });
	cr_expect_eq(waiting.count, 1);
	waiting_stacks_clear(&waiting);
}

Test(waiting_stacks, each_address_space_is_asked_for_once)
{
	struct waiting_stacks waiting = { 0 };
	struct finished finished = { 0 };
	pid_t tgid;

	cr_expect_not(waiting_stacks_next_to_ask(&waiting, &tgid));
	for (uint32_t stack = 1; stack <= 6; stack++)
		add(&waiting, stack, stack % 2, 0);
	cr_assert(waiting_stacks_next_to_ask(&waiting, &tgid));
	cr_expect_eq(tgid, 1001);
	cr_expect_eq(waiting_stacks_finish(&waiting, 1, finish, &finished), 0);
	cr_assert(waiting_stacks_next_to_ask(&waiting, &tgid));
	cr_expect_eq(tgid, 1000);
	/* It could not be told; it is asked for again, when another walk is stuck there. */
	cr_expect_not(waiting_stacks_next_to_ask(&waiting, &tgid));
	add(&waiting, 7, 0, 0);
	cr_assert(waiting_stacks_next_to_ask(&waiting, &tgid));
	cr_expect_eq(tgid, 1000);
	cr_expect_not(waiting_stacks_next_to_ask(&waiting, &tgid));
	waiting_stacks_clear(&waiting);
}

Test(waiting_stacks, an_error_loses_none)
{
	struct waiting_stacks waiting = { 0 };
	struct finished finished = { .err = -ENOMEM };

	for (uint32_t stack = 1; stack <= 4; stack++)
		add(&waiting, stack, stack / 3, 0);
	cr_expect_eq(waiting_stacks_finish(&waiting, 0, finish, &finished), -ENOMEM);
	cr_expect_eq(waiting_stacks_shrink(&waiting, 0, finish, &finished), -ENOMEM);
	expect(&finished, 4, (uint32_t[]){ 1, 2, 3, 4 });
	waiting_stacks_clear(&waiting);
}
