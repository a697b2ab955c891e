// SPDX-License-Identifier: GPL-2.0-only
/* Where in user space a thread waited, or woke another. */
#include "analysis/wait_place.h"

#include "base/array.h"

struct wait_place wait_place_find(struct profile *profile, const struct places *places,
				  const struct scaler_sample *where)
{
	struct wait_place place = {
		.frames = frames_of_sample(profile, places, where),
		.path = { PLACE_NONE, PLACE_NONE, PLACE_NONE, 0 },
	};

	if (place.frames.count)
		place.path = attribution_path(&place.frames);
	/* Without stacks there still is where the call was issued. */
	if (place.frames.count && place.path.innermost == PLACE_NONE && !where->stack)
		place.path.innermost = frames_place(&place.frames, 0);
	return place;
}

bool wait_place_is_in(const struct wait_place *place, const struct globs *functions)
{
	const size_t path[] = { place->path.entered, place->path.innermost, place->path.caller };

	for (size_t i = 0; i < ARRAY_SIZE(path); i++) {
		const char *function =
			path[i] == PLACE_NONE ? NULL : place->frames.places->items[path[i]].function;

		if (function && globs_match(functions, function))
			return true;
	}
	return false;
}

bool wait_place_is_kernel(const struct wait_place *place, uint64_t kernel)
{
	const struct frames *frames = &place->frames;

	return frames->count && frames->has_leaf && frames->leaf == kernel;
}
