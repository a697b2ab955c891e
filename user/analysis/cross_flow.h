/* SPDX-License-Identifier: GPL-2.0-only */
/* Library calls by the components between which they go: who calls whom, how often, for how long. */
#ifndef SCALER_ANALYSIS_CROSS_FLOW_H
#define SCALER_ANALYSIS_CROSS_FLOW_H

#include <stddef.h>

#include "analysis/library_figures.h"
#include "model/places.h"
#include "analysis/report_options.h"

struct cross_flow_row {
	/* First, as in library_summary.h. The total is of the outermost calls between the two alone: none is counted twice. */
	struct library_figures figures;
	size_t caller; /* index in places.components, as is the next; PLACE_NONE: not known */
	size_t called;
};

struct cross_flow {
	struct cross_flow_row *rows; /* owned; longest total first, then most calls */
	size_t row_count;
};

/* Returns 0, or -ENOMEM with nothing to clear. */
int cross_flow_make(const struct profile *profile, const struct places *places, enum sort_key sort,
		    struct cross_flow *flow);
void cross_flow_clear(struct cross_flow *flow);

#endif
