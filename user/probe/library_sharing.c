// SPDX-License-Identifier: GPL-2.0-only
/* What is found out of files once, for all processes that have them. */
#include "probe/library_sharing.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "plan/plan_site.h"

int library_sharing_grow(struct library_sharing *sharing, size_t files)
{
	struct library_share *shares = reallocarray(sharing->shares, files + 1, sizeof(*shares));

	if (!shares)
		return -ENOMEM;
	sharing->shares = shares;
	while (sharing->count < files)
		shares[sharing->count++] = (struct library_share){ 0 };
	return 0;
}

int library_sharing_identify(struct library_sharing *sharing, uint32_t file, int fd)
{
	struct library_share *share = &sharing->shares[file];

	if (share->identity.inode)
		return 0;
	/* One that cannot be asked for is nobody else's. */
	return file_identity_read(&share->identity, fd) == -ENOMEM ? -ENOMEM : 0;
}

bool library_sharing_decide(const struct library_sharing *sharing, struct plan *plan, uint32_t file,
			    size_t first, size_t end)
{
	const struct file_identity *identity = &sharing->shares[file].identity;
	bool has_changed = false;

	for (size_t i = first; i < plan->function_count; i++) {
		struct plan_function *function = &plan->functions[i];

		if (function->file != file || function->omission || function->unhooked_ns)
			continue;
		if (sharing->counts_only)
			function->untimed = PLAN_NOT_ASKED;
		if (!other_tracers_reach(&sharing->others, identity, plan_site_offset(function)))
			continue;
		function->omission = PLAN_OTHER_TRACER;
		if (i >= end)
			continue;
		function->unhooked_ns = clock_now_ns();
		has_changed = true;
	}
	return has_changed;
}

void library_sharing_clear(struct library_sharing *sharing)
{
	for (size_t i = 0; i < sharing->count; i++)
		file_identity_clear(&sharing->shares[i].identity);
	free(sharing->shares);
	other_tracers_clear(&sharing->others);
	*sharing = (struct library_sharing){ 0 };
}
