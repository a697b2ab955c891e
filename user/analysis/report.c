// SPDX-License-Identifier: GPL-2.0-only
/* All that a renderer shows of one recording. */
#include "analysis/report.h"

#include <string.h>

int report_make(const struct profile *profile, struct report *report)
{
	int err;

	*report = (struct report){ .window = profile->window };
	memcpy(report->losses, profile->losses, sizeof(report->losses));
	err = issuers_make(profile, &report->issuers);
	if (!err)
		err = thread_summary_make(profile, &report->threads);
	if (!err)
		err = call_summary_make(profile, &report->issuers, &report->calls);
	return err ?: component_summary_make(&report->issuers, &report->calls, &report->threads,
					     &report->components);
}

void report_clear(struct report *report)
{
	component_summary_clear(&report->components);
	thread_summary_clear(&report->threads);
	call_summary_clear(&report->calls);
	issuers_clear(&report->issuers);
}
