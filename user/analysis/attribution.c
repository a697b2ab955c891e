// SPDX-License-Identifier: GPL-2.0-only
/* Whom a system call is put down to, by the stack that it was issued with. */
#include "analysis/attribution.h"

static size_t component_of_site(const struct places *places, uint64_t site)
{
	return places->items[places_find(places, site)].component;
}

static bool is_whole(enum scaler_stack_end end)
{
	return end == SCALER_STACK_COMPLETE || end == SCALER_STACK_AS_ASKED;
}

struct attribution attribution_find(struct profile *profile, const struct places *places,
				    enum component_of component_of, const struct scaler_call_key *call)
{
	size_t issuing = component_of_site(places, call->site);
	const struct stack *stack;

	if (component_of == COMPONENT_OF_ISSUING || !places->components[issuing].is_runtime)
		return (struct attribution){ .component = issuing };
	stack = stacks_find(&profile->stacks, call->stack);
	for (size_t i = 0; stack && i < stack->count; i++) {
		size_t component = component_of_site(places, profile->stacks.sites[stack->first + i]);

		if (!places->components[component].is_runtime)
			return (struct attribution){ .component = component };
	}
	if (stack && is_whole(stack->end))
		return (struct attribution){ .component = issuing };
	return (struct attribution){ .component = PLACE_NONE,
				     .cut = stack ? stack->end : SCALER_STACK_GOES_ON };
}
