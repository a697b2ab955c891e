/* SPDX-License-Identifier: GPL-2.0-only */
/* Which members of rows are sites (scaler/component.h): what is to be named, and what must have a name. */
#ifndef SCALER_MODEL_SITES_H
#define SCALER_MODEL_SITES_H

#include <stddef.h>

#include <scaler/blocking.h>
#include <scaler/event.h>

/* At most. */
#define SITES_OF_SAMPLE   2
#define SITES_OF_INTERVAL (2 * SITES_OF_SAMPLE + 1)

/* Where those are that it has. Returns their number. */
static inline size_t sites_of_sample(struct scaler_sample *sample, __u64 **sites)
{
	size_t count = 0;

	if (sample->site)
		sites[count++] = &sample->site;
	if (sample->kernel)
		sites[count++] = &sample->kernel;
	return count;
}

static inline size_t sites_of_interval(struct scaler_blocking_interval *interval, __u64 **sites)
{
	size_t count = sites_of_sample(&interval->where, sites);

	count += sites_of_sample(&interval->waker.where, sites + count);
	if (interval->resource.site)
		sites[count++] = &interval->resource.site;
	return count;
}

#endif
