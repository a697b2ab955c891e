// SPDX-License-Identifier: GPL-2.0-only
/* One recording as data. */
#include "model/profile.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

int profile_add_thread(struct profile *profile, const struct scaler_thread *thread)
{
	struct scaler_thread *threads = array_reserve(profile->threads, profile->thread_count,
						      &profile->thread_capacity, sizeof(*threads));
	struct scaler_thread *copy;

	if (!threads)
		return -ENOMEM;
	profile->threads = threads;
	copy = &threads[profile->thread_count++];
	*copy = *thread;
	if (copy->start_ns < profile->window.start_ns)
		copy->start_ns = profile->window.start_ns;
	if (copy->end_ns)
		return 0;
	scaler_thread_close(copy, &profile->window, profile->window.end_ns);
	/* A switch just after the end has moved it on; no time was accounted there. */
	copy->since_ns = profile->window.end_ns;
	return 0;
}

int profile_add_call(struct profile *profile, const struct scaler_call_key *key,
		     const struct scaler_call_stats *stats)
{
	struct profile_call *calls = array_reserve(profile->calls, profile->call_count,
						   &profile->call_capacity, sizeof(*calls));

	if (!calls)
		return -ENOMEM;
	profile->calls = calls;
	profile->calls[profile->call_count++] = (struct profile_call){ *key, *stats };
	return 0;
}

void profile_clear(struct profile *profile)
{
	free(profile->threads);
	free(profile->calls);
	*profile = (struct profile){ 0 };
}
