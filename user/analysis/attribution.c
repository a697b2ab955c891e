// SPDX-License-Identifier: GPL-2.0-only
/* Whom a system call is put down to, by the stack that it was issued with. */
#include "analysis/attribution.h"

/* A stack with what its sites stand for. */
struct frames {
	const struct places *places;
	const __u64 *sites; /* from the innermost on */
	size_t count;       /* 0: the stack is not known */
	enum scaler_stack_end end;
};

static size_t component_of_site(const struct places *places, uint64_t site)
{
	return places->items[places_find(places, site)].component;
}

static size_t component_of_frame(const struct frames *frames, size_t frame)
{
	return component_of_site(frames->places, frames->sites[frame]);
}

static size_t place_of_frame(const struct frames *frames, size_t frame)
{
	return places_find(frames->places, frames->sites[frame]);
}

static struct frames find_frames(struct profile *profile, const struct places *places, uint32_t number)
{
	const struct stack *stack = stacks_find(&profile->stacks, number);

	if (!stack)
		return (struct frames){ .places = places, .end = SCALER_STACK_GOES_ON };
	return (struct frames){ places, profile->stacks.sites + stack->first, stack->count, stack->end };
}

static bool is_whole(enum scaler_stack_end end)
{
	return end == SCALER_STACK_COMPLETE || end == SCALER_STACK_AS_ASKED;
}

struct attribution attribution_find(struct profile *profile, const struct places *places,
				    enum component_of component_of, const struct scaler_call_key *call)
{
	size_t issuing = component_of_site(places, call->site);
	struct frames frames;

	if (component_of == COMPONENT_OF_ISSUING || !places->components[issuing].is_runtime)
		return (struct attribution){ .component = issuing };
	frames = find_frames(profile, places, call->stack);
	for (size_t i = 0; i < frames.count; i++) {
		size_t component = component_of_frame(&frames, i);

		if (!places->components[component].is_runtime)
			return (struct attribution){ .component = component };
	}
	if (is_whole(frames.end))
		return (struct attribution){ .component = issuing };
	return (struct attribution){ .component = PLACE_NONE, .cut = frames.end };
}

/* The application's innermost frame; frames->count: there is none. */
static size_t application_frame(const struct frames *frames)
{
	/* The kernel side has walked up to it. */
	if (frames->end == SCALER_STACK_AS_ASKED && frames->count)
		return frames->count - 1;
	for (size_t i = 0; i < frames->count; i++) {
		const struct place_component *component =
			&frames->places->components[component_of_frame(frames, i)];

		if (component->is_application && !component->is_runtime)
			return i;
	}
	return frames->count;
}

/* Whether the function of a frame was entered from another component; the outermost was not. */
static bool is_entered(const struct frames *frames, size_t frame)
{
	return frame + 1 < frames->count &&
	       component_of_frame(frames, frame) != component_of_frame(frames, frame + 1);
}

/* The frame whose callees the path consists of: the innermost frame, if it consists of none. */
static size_t calling_frame(const struct frames *frames)
{
	size_t caller = application_frame(frames);

	if (caller < frames->count)
		return caller;
	for (caller = frames->count - 1; caller; caller--) {
		if (is_entered(frames, caller - 1))
			break;
	}
	return caller;
}

struct call_path attribution_path(struct profile *profile, const struct places *places,
				  const struct scaler_call_key *call)
{
	struct frames frames = find_frames(profile, places, call->stack);
	size_t caller, innermost = 0;

	if (!frames.count || (!is_whole(frames.end) && application_frame(&frames) == frames.count))
		return (struct call_path){ PLACE_NONE, PLACE_NONE, PLACE_NONE, frames.end };
	caller = calling_frame(&frames);
	if (!caller)
		return (struct call_path){ .entered = place_of_frame(&frames, 0),
					   .innermost = place_of_frame(&frames, 0),
					   .caller = PLACE_NONE };
	while (innermost < caller - 1 && !is_entered(&frames, innermost))
		innermost++;
	return (struct call_path){ .entered = place_of_frame(&frames, caller - 1),
				   .innermost = place_of_frame(&frames, innermost),
				   .caller = place_of_frame(&frames, caller) };
}
