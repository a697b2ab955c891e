// SPDX-License-Identifier: GPL-2.0-only
/* One recording as data. */
#include "model/profile.h"

#include <errno.h>
#include <stdlib.h>

int profile_add_call(struct profile *profile, const struct scaler_call_key *key,
		     const struct scaler_call_stats *stats)
{
	if (profile->call_count == profile->call_capacity) {
		size_t capacity = profile->call_capacity ? 2 * profile->call_capacity : 64;
		struct profile_call *calls = reallocarray(profile->calls, capacity, sizeof(*calls));

		if (!calls)
			return -ENOMEM;
		profile->calls = calls;
		profile->call_capacity = capacity;
	}
	profile->calls[profile->call_count++] = (struct profile_call){ *key, *stats };
	return 0;
}

void profile_clear(struct profile *profile)
{
	free(profile->calls);
	*profile = (struct profile){ 0 };
}
