// SPDX-License-Identifier: GPL-2.0-only
/* All that a renderer shows of one recording. */
#include "analysis/report.h"

#include <string.h>

int report_make(const struct profile *profile, struct report *report)
{
	int err;

	*report = (struct report){ .window = profile->window };
	memcpy(report->losses, profile->losses, sizeof(report->losses));
	err = thread_summary_make(profile, &report->threads);
	return err ?: call_summary_make(profile, &report->calls);
}

void report_clear(struct report *report)
{
	thread_summary_clear(&report->threads);
	call_summary_clear(&report->calls);
}
