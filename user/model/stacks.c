// SPDX-License-Identifier: GPL-2.0-only
/* Stacks by number. */
#include "model/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int add_sites(struct stacks *stacks, const __u64 *sites, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		__u64 *all = array_reserve(stacks->sites, stacks->site_count, &stacks->site_capacity,
					   sizeof(*all));

		if (!all)
			return -ENOMEM;
		stacks->sites = all;
		all[stacks->site_count++] = sites[i];
	}
	return 0;
}

int stacks_add(struct stacks *stacks, uint32_t number, enum scaler_stack_end end, const __u64 *sites,
	       size_t count, bool unsure)
{
	struct stack *items = array_reserve(stacks->items, stacks->count, &stacks->capacity, sizeof(*items));
	size_t first = stacks->site_count;

	if (!items)
		return -ENOMEM;
	stacks->items = items;
	if (add_sites(stacks, sites, count))
		return -ENOMEM;
	items[stacks->count++] = (struct stack){ number, end, unsure, first, count };
	return 0;
}

int stacks_copy(struct stacks *copy, const struct stacks *stacks)
{
	*copy = *stacks;
	copy->capacity = stacks->count + 1;
	copy->site_capacity = stacks->site_count + 1;
	copy->items = calloc(copy->capacity, sizeof(*copy->items));
	copy->sites = calloc(copy->site_capacity, sizeof(*copy->sites));
	if (!copy->items || !copy->sites) {
		stacks_clear(copy);
		return -ENOMEM;
	}
	if (stacks->count)
		memcpy(copy->items, stacks->items, stacks->count * sizeof(*copy->items));
	if (stacks->site_count)
		memcpy(copy->sites, stacks->sites, stacks->site_count * sizeof(*copy->sites));
	return 0;
}

static int compare_numbers(const void *left, const void *right)
{
	const struct stack *a = left, *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

const struct stack *stacks_find(struct stacks *stacks, uint32_t number)
{
	const struct stack key = { .number = number };

	if (!stacks->count)
		return NULL;
	if (stacks->sorted < stacks->count) {
		qsort(stacks->items, stacks->count, sizeof(*stacks->items), compare_numbers);
		stacks->sorted = stacks->count;
	}
	return bsearch(&key, stacks->items, stacks->count, sizeof(key), compare_numbers);
}

size_t stacks_count_unsure(const struct stacks *stacks)
{
	size_t count = 0;

	for (size_t i = 0; i < stacks->count; i++)
		count += stacks->items[i].unsure;
	return count;
}

void stacks_clear(struct stacks *stacks)
{
	free(stacks->items);
	free(stacks->sites);
	*stacks = (struct stacks){ 0 };
}

const char *stack_end_text(enum scaler_stack_end end)
{
	static const char *const texts[SCALER_STACK_ENDS] = {
		[SCALER_STACK_GOES_ON] = "not known",         [SCALER_STACK_COMPLETE] = "complete",
		[SCALER_STACK_AS_ASKED] = "as asked",         [SCALER_STACK_LIMIT] = "too many frames",
		[SCALER_STACK_NO_RULE] = "no rule",           [SCALER_STACK_REGISTER] = "register lost",
		[SCALER_STACK_MEMORY] = "stack not readable", [SCALER_STACK_IMPLAUSIBLE] = "not plausible",
		[SCALER_STACK_NO_CODE] = "no code",           [SCALER_STACK_NOT_COPIED] = "learning",
		[SCALER_STACK_BUSY] = "mappings changing",    [SCALER_STACK_NOT_CALLED] = "callers missing",
	};

	return texts[end];
}
