/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the functions that stacks have told of had probes, and what these counted: the two are recorded apart, and
 * meet in the component and the name.
 */
#ifndef SCALER_ANALYSIS_PROBED_FUNCTIONS_H
#define SCALER_ANALYSIS_PROBED_FUNCTIONS_H

#include "analysis/function_summary.h"
#include "analysis/library_summary.h"

/* Fills in what the rows have of probes. Returns 0 or -ENOMEM. */
int probed_functions_find(const struct library_summary *library, const struct places *places,
			  struct function_summary *summary);

#endif
