/* SPDX-License-Identifier: GPL-2.0-only */
/* Times and counts of what code did, as JSON. */
#ifndef SCALER_RENDER_JSON_FIGURES_H
#define SCALER_RENDER_JSON_FIGURES_H

#include <jansson.h>

#include "analysis/outside.h"
#include "analysis/time_figures.h"

/* All return a new reference, or NULL without memory. */

/* Times blocked, and calls with their times, by the names of categories that have some. */
json_t *json_blocked(const struct time_figures *figures);
json_t *json_categories(const struct time_figures *figures);
/* What samples say of the time outside of calls; null: there are no samples. */
/* How sure the figures of system calls are; null: they are exact. */
json_t *json_call_ranges(const struct sampled_frame *frame, const struct sampled_sums *sums, uint64_t count,
			 uint64_t total_ns);
json_t *json_sampled(const struct outside *outside, const struct time_figures *figures);

#endif
