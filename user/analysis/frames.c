// SPDX-License-Identifier: GPL-2.0-only
/* The stack that a system call was issued with, or that a CPU sample found. */
#include "analysis/frames.h"

static struct frames frames_of_stack(struct profile *profile, const struct places *places, uint32_t number)
{
	const struct stack *stack = stacks_find(&profile->stacks, number);
	struct frames frames = { .places = places, .end = SCALER_STACK_GOES_ON };

	if (stack) {
		frames.sites = profile->stacks.sites + stack->first;
		frames.count = stack->count;
		frames.end = stack->end;
	}
	return frames;
}

static void add_leaf(struct frames *frames, __u64 site)
{
	frames->has_leaf = true;
	frames->leaf = site;
	frames->count++;
}

struct frames frames_of_call(struct profile *profile, const struct places *places,
			     const struct scaler_call_key *call)
{
	struct frames frames = frames_of_stack(profile, places, call->stack);

	/* The innermost one of its stack, if it has one. */
	if (!frames.count)
		add_leaf(&frames, call->site);
	return frames;
}

struct frames frames_of_sample(struct profile *profile, const struct places *places,
			       const struct scaler_sample *sample)
{
	const struct scaler_call_key call = { .site = sample->site, .stack = sample->stack };
	struct frames frames;

	if (sample->kind == SCALER_SAMPLE_IN_CALL)
		return frames_of_call(profile, places, &call);
	frames = frames_of_stack(profile, places, sample->stack);
	if (sample->site)
		add_leaf(&frames, sample->site);
	if (scaler_site_component(sample->site) == SCALER_COMPONENT_TRACER)
		frames.end = SCALER_STACK_COMPLETE;
	if (frames.count || !sample->kernel)
		return frames;
	add_leaf(&frames, sample->kernel);
	frames.end = SCALER_STACK_COMPLETE;
	return frames;
}

static __u64 frame_site(const struct frames *frames, size_t frame)
{
	if (!frames->has_leaf)
		return frames->sites[frame];
	return frame ? frames->sites[frame - 1] : frames->leaf;
}

size_t frames_place(const struct frames *frames, size_t frame)
{
	__u64 site = frame_site(frames, frame);
	size_t called = PLACE_NONE;

	if (frame + 1 < frames->count)
		called = places_find_called(frames->places, frame_site(frames, frame + 1),
					    scaler_site_component(site));
	return called == PLACE_NONE ? places_find(frames->places, site) : called;
}

size_t frames_component(const struct frames *frames, size_t frame)
{
	size_t place = places_find(frames->places, frame_site(frames, frame));

	return frames->places->items[place].component;
}

bool frames_are_whole(const struct frames *frames)
{
	return frames->end == SCALER_STACK_COMPLETE || frames->end == SCALER_STACK_AS_ASKED;
}
