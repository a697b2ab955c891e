// SPDX-License-Identifier: GPL-2.0-only
/* Calls and samples with their paths. */
#include "analysis/path_parts.h"

#include <errno.h>
#include <stdlib.h>

int path_parts_list(struct profile *profile, const struct places *places, const struct outside *outside,
		    struct path_parts *parts)
{
	struct path_part *items = calloc(profile->call_count + outside->row_count + 1, sizeof(*items));

	*parts = (struct path_parts){ .items = items };
	if (!items)
		return -ENOMEM;
	for (size_t i = 0; i < profile->call_count; i++) {
		const struct profile_call *call = &profile->calls[i];
		struct frames frames = frames_of_call(profile, places, &call->key);

		items[parts->count++] = (struct path_part){ .path = attribution_path(&frames),
							    .task = call->key.task,
							    .call = call };
	}
	for (size_t i = 0; i < outside->row_count; i++) {
		const struct outside_row *row = &outside->rows[i];
		struct frames frames = frames_of_sample(profile, places, row->sample);

		if (frames.count)
			items[parts->count++] = (struct path_part){ .path = attribution_path(&frames),
								    .task = row->sample->task,
								    .sampled = row };
	}
	return 0;
}

void path_parts_clear(struct path_parts *parts)
{
	free(parts->items);
	*parts = (struct path_parts){ 0 };
}

void path_part_add(const struct path_part *part, struct time_figures *sum)
{
	if (part->call)
		time_figures_add_call(sum, part->call);
	else
		time_figures_add_samples(sum, part->sampled->samples, part->sampled->running_ns);
}
