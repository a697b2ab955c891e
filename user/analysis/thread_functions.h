/* SPDX-License-Identifier: GPL-2.0-only */
/* The function that the application called, or ran, for most of each thread's time. */
#ifndef SCALER_ANALYSIS_THREAD_FUNCTIONS_H
#define SCALER_ANALYSIS_THREAD_FUNCTIONS_H

#include "analysis/path_parts.h"
#include "analysis/thread_summary.h"

/* Fills in the rows' top functions. Brings the parts in another order. Returns 0 or -ENOMEM. */
int thread_functions_find(const struct path_parts *parts, struct thread_summary *summary);

#endif
