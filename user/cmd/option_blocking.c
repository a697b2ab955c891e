// SPDX-License-Identifier: GPL-2.0-only
/* The options of the blocking report. */
#include <errno.h>

#include "cmd/option_table.h"

/* Reports that take no system calls. */
#define WITHOUT_CALLS (REPORT_CPU | REPORT_THREADS | REPORT_LIBRARY | REPORT_FLOW)

int option_apply_blocking_report(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	(void)value;
	(void)error;
	options->records_blocking = true;
	return 0;
}

int options_choose_blocking(struct options *options, char error[OPTIONS_ERROR_SIZE])
{
	unsigned int *parts = &options->report.parts;

	options->records_blocking |= (*parts & REPORT_INTERVALS) != 0;
	if (!options->records_blocking)
		return 0;
	if (options->format == &renderer_folded)
		return options_refuse(error, "--folded shows no blocking intervals; use --format json");
	if (!*parts)
		*parts = REPORT_THREADS;
	if (!(*parts & REPORT_INTERVALS))
		*parts |= REPORT_INTERVALS;
	if (*parts & ~(REPORT_INTERVALS | WITHOUT_CALLS))
		return 0;
	if (options->filter)
		return options_refuse(error, "--syscalls chooses among the calls of reports such as "
					     "--report blocking,syscalls; the blocking report has all");
	options->no_syscalls = true;
	return 0;
}
