// SPDX-License-Identifier: GPL-2.0-only
/* How threads queue for one thing: go through the beginnings and ends of waits in the order of time. */
#include "analysis/convoy.h"

#include <stdlib.h>

#include "base/array.h"

static int compare_times(const void *left, const void *right)
{
	return array_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

struct convoy convoy_find(uint64_t *starts_ns, uint64_t *ends_ns, size_t count)
{
	struct convoy longest = { 0 };
	size_t first = 0, started = 0;

	qsort(starts_ns, count, sizeof(*starts_ns), compare_times);
	qsort(ends_ns, count, sizeof(*ends_ns), compare_times);
	for (size_t ended = 0; ended < count; ended++) {
		uint64_t duration_ns;

		while (started < count && starts_ns[started] <= ends_ns[ended])
			started++;
		if (started - ended > longest.most_waiting)
			longest.most_waiting = started - ended;
		if (started - ended > 1)
			continue;
		/* The last of those that wait. */
		duration_ns = ends_ns[ended] - starts_ns[first];
		if (duration_ns > longest.duration_ns) {
			longest.start_ns = starts_ns[first];
			longest.duration_ns = duration_ns;
			longest.waits = ended + 1 - first;
		}
		first = ended + 1;
	}
	return longest;
}
