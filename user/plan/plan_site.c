// SPDX-License-Identifier: GPL-2.0-only
/* The first instructions of functions, from their files. */
#include "plan/plan_site.h"

#include <errno.h>
#include <stdlib.h>

#include "parser/code.h"

static bool is_wanted(const struct plan_function *function, uint32_t file)
{
	return function->file == file && !function->omission;
}

static void take_entry(struct plan_function *function, const struct probe_entry *entry)
{
	static const enum plan_omission omissions[] = {
		[PROBE_SITE_SOUND] = PLAN_NOT_OMITTED,
		[PROBE_SITE_REFUSED] = PLAN_REFUSED,
		[PROBE_SITE_MISTAKEN] = PLAN_MISTAKEN,
	};

	function->omission = omissions[entry->fault];
	function->site = entry->kind;
	function->skipped = entry->skipped;
}

int plan_sites_read(struct plan *plan, size_t first, uint32_t file, int fd)
{
	uint64_t *offsets = calloc(plan->function_count + 1, sizeof(*offsets));
	struct probe_entry *entries = calloc(plan->function_count + 1, sizeof(*entries));
	size_t count = 0, taken = 0;
	int err = offsets && entries ? 0 : -ENOMEM;

	for (size_t i = first; i < plan->function_count && !err; i++) {
		if (is_wanted(&plan->functions[i], file))
			offsets[count++] = plan->functions[i].offset;
	}
	if (!err && count)
		err = fd < 0 ? fd : parser_find_entries(parser_shared(), fd, offsets, count, entries);
	for (size_t i = first; i < plan->function_count && taken < count; i++) {
		if (!is_wanted(&plan->functions[i], file))
			continue;
		if (err)
			plan->functions[i].omission = PLAN_GONE;
		else
			take_entry(&plan->functions[i], &entries[taken]);
		taken++;
	}
	free(offsets);
	free(entries);
	return err == -ENOMEM ? err : 0;
}

uint64_t plan_site_offset(const struct plan_function *function)
{
	return function->offset + function->skipped;
}
