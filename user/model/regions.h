/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of a recording that somebody outside has marked, each by a name: from a beginning to an end, any number of
 * times, and several at once. Each has the sum of what happened in it. And moments, which have but a name.
 */
#ifndef SCALER_MODEL_REGIONS_H
#define SCALER_MODEL_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/interval_sum.h"
#include "model/marks.h"

struct region {
	char *name;     /* owned; not trusted */
	uint64_t times; /* that it has begun */
	bool is_open;
	struct interval_sum sum;
};

struct moment {
	char *name; /* owned; not trusted */
	uint64_t time_ns;
};

/* All zero at first. */
struct regions {
	struct region *items; /* owned; in the order in which they began first */
	size_t count;
	size_t capacity;
	struct moment *moments; /* owned; as they came */
	size_t moment_count;
	size_t moment_capacity;
};

/* Of names that differ; each keeps figures of its own. So many moments, too. */
#define REGIONS_MAX 4096

/*
 * Begins or ends a region, or adds a moment. Returns 0; -EEXIST: that region is open, or -ENOENT: it is not; -ENOSPC: there
 * are REGIONS_MAX of them; or -ENOMEM.
 */
int regions_mark(struct regions *regions, const struct mark *mark);

/* Adds what has happened since the last was added to all that are open. Returns 0 or -ENOMEM. */
int regions_add(struct regions *regions, const struct profile *interval);
/* What happens next is in none, until the next is added. */
void regions_pause(struct regions *regions);

void regions_clear(struct regions *regions);

#endif
