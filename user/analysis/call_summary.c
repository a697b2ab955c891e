// SPDX-License-Identifier: GPL-2.0-only
/* The recording's system calls summed over all threads: sort by call, merge, sort by count. */
#include "analysis/call_summary.h"

#include <errno.h>
#include <stdlib.h>

static int compare_call(const void *left, const void *right)
{
	const struct call_summary_row *a = left, *b = right;

	if (a->abi != b->abi)
		return a->abi < b->abi ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int compare_count(const void *left, const void *right)
{
	const struct call_summary_row *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return compare_call(left, right);
}

int call_summary_make(const struct profile *profile, struct call_summary *summary)
{
	struct call_summary_row *rows = calloc(profile->call_count + 1, sizeof(*rows));
	size_t kept = 0;

	*summary = (struct call_summary){ 0 };
	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < profile->call_count; i++) {
		const struct profile_call *call = &profile->calls[i];

		rows[i] = (struct call_summary_row){ call->key.abi, call->key.number,
						     call->stats.count };
		summary->total += call->stats.count;
	}
	qsort(rows, profile->call_count, sizeof(*rows), compare_call);
	for (size_t i = 0; i < profile->call_count; i++) {
		if (kept && compare_call(&rows[kept - 1], &rows[i]) == 0)
			rows[kept - 1].count += rows[i].count;
		else
			rows[kept++] = rows[i];
	}
	qsort(rows, kept, sizeof(*rows), compare_count);
	summary->rows = rows;
	summary->row_count = kept;
	return 0;
}

void call_summary_clear(struct call_summary *summary)
{
	free(summary->rows);
	*summary = (struct call_summary){ 0 };
}
