/* SPDX-License-Identifier: GPL-2.0-only */
/* The function that the application called, or ran, for most of each thread's time; and what the tracer took of it. */
#ifndef SCALER_ANALYSIS_THREAD_FUNCTIONS_H
#define SCALER_ANALYSIS_THREAD_FUNCTIONS_H

#include "analysis/path_parts.h"
#include "analysis/thread_summary.h"

/* Fills in the rows' top functions, and the tracer's time, also that of all. Brings the parts in another order. Returns 0 or -ENOMEM. */
int thread_functions_find(const struct path_parts *parts, const struct places *places,
			  struct thread_summary *summary);

#endif
