// SPDX-License-Identifier: GPL-2.0-only
/* The first instructions of functions, from their files. */
#include "probe/plan_site.h"

void plan_site_read(struct plan_function *function, struct probe_entries *entries)
{
	static const enum plan_omission omissions[] = {
		[PROBE_SITE_SOUND] = PLAN_NOT_OMITTED,
		[PROBE_SITE_REFUSED] = PLAN_REFUSED,
		[PROBE_SITE_MISTAKEN] = PLAN_MISTAKEN,
	};
	struct probe_entry entry;

	if (!entries) {
		function->omission = PLAN_GONE;
		return;
	}
	entry = probe_entries_find(entries, function->offset);
	function->omission = omissions[entry.fault];
	function->site = entry.kind;
	function->skipped = entry.skipped;
}

uint64_t plan_site_offset(const struct plan_function *function)
{
	return function->offset + function->skipped;
}
