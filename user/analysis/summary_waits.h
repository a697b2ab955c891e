/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits merged over groups of threads, each with what happened meanwhile. */
#ifndef SCALER_ANALYSIS_SUMMARY_WAITS_H
#define SCALER_ANALYSIS_SUMMARY_WAITS_H

#include "analysis/kernel_names.h"
#include "analysis/summary.h"

/* Makes the summary's waits, which are not the kernel threads' own. Returns 0 or -ENOMEM. */
int summary_waits_make(const struct chain_report *chains, const struct runs_table *runs,
		       const struct kernel_names *kernel, struct summary *summary);

#endif
