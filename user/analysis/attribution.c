// SPDX-License-Identifier: GPL-2.0-only
/* Whom a system call or a CPU sample is attributed to, by its stack. */
#include "analysis/attribution.h"

static const struct place_component *component_of_frame(const struct frames *frames, size_t frame)
{
	return &frames->places->components[frames_component(frames, frame)];
}

struct attribution attribution_find(const struct frames *frames, enum component_of component_of)
{
	for (size_t i = 0; i < frames->count; i++) {
		if (component_of == COMPONENT_OF_ISSUING || !component_of_frame(frames, i)->is_runtime)
			return (struct attribution){ .component = frames_component(frames, i) };
	}
	if (frames_are_whole(frames))
		return (struct attribution){ .component = frames_component(frames, 0) };
	return (struct attribution){ .component = PLACE_NONE, .cut = frames->end };
}

/* The application's innermost frame; frames->count: there is none. */
static size_t application_frame(const struct frames *frames)
{
	/* The kernel side has walked up to it. */
	if (frames->end == SCALER_STACK_AS_ASKED)
		return frames->count - 1;
	for (size_t i = 0; i < frames->count; i++) {
		const struct place_component *component = component_of_frame(frames, i);

		if (component->is_application && !component->is_runtime)
			return i;
	}
	return frames->count;
}

/* Whether the function of a frame was entered from another component; the outermost was not. */
static bool is_entered(const struct frames *frames, size_t frame)
{
	return frame + 1 < frames->count &&
	       frames_component(frames, frame) != frames_component(frames, frame + 1);
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

struct call_path attribution_path(const struct frames *frames)
{
	size_t caller, innermost = 0;

	if (!frames_are_whole(frames) && application_frame(frames) == frames->count)
		return (struct call_path){ PLACE_NONE, PLACE_NONE, PLACE_NONE, frames->end };
	caller = calling_frame(frames);
	if (!caller)
		return (struct call_path){ .entered = frames_place(frames, 0),
					   .innermost = frames_place(frames, 0),
					   .caller = PLACE_NONE };
	while (innermost < caller - 1 && !is_entered(frames, innermost))
		innermost++;
	return (struct call_path){ .entered = frames_place(frames, caller - 1),
				   .innermost = frames_place(frames, innermost),
				   .caller = frames_place(frames, caller) };
}
