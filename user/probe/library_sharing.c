// SPDX-License-Identifier: GPL-2.0-only
/* What processes and other tracers that share breakpoints mean to functions. */
#include "probe/library_sharing.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "probe/plan_site.h"

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

/* Where nothing is timed, and everywhere, nobody has looked what may happen in the processes. */
static bool may_be_harmed(const struct library_sharing *sharing, const struct library_share *share,
			  const struct plan_function *function)
{
	return sharing->everywhere || sharing->untimed || function->hazards & share->hazards;
}

static bool decide(const struct library_sharing *sharing, const struct library_share *share,
		   struct plan_function *function)
{
	enum plan_untimed untimed = plan_untimed_by(function->hazards & share->hazards);
	bool has_changed = false;

	/* What the function itself does is a reason for more than that. */
	if (sharing->untimed && (!function->untimed || sharing->untimed == PLAN_NOT_ASKED))
		function->untimed = sharing->untimed;
	if (!sharing->asks_for_all && other_tracers_probe(&sharing->others, &share->identity,
							  plan_site_offset(function), sharing->everywhere)) {
		untimed = untimed ?: PLAN_PROBED_BY_OTHERS;
		if (may_be_harmed(sharing, share, function)) {
			function->omission = PLAN_OTHER_TRACER;
			has_changed = true;
		}
	}
	if (untimed && !function->untimed) {
		function->untimed = untimed;
		has_changed = true;
	}
	return has_changed;
}

bool library_sharing_decide(const struct library_sharing *sharing, struct plan *plan, uint32_t file,
			    size_t first, size_t end)
{
	bool has_changed = false;

	for (size_t i = first; i < plan->function_count; i++) {
		struct plan_function *function = &plan->functions[i];

		if (function->file != file || function->omission || function->unhooked_ns)
			continue;
		if (!decide(sharing, &sharing->shares[file], function) || i >= end)
			continue;
		has_changed = true;
		if (function->omission)
			function->unhooked_ns = clock_now_ns();
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
