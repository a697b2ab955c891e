/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the threads ran, by CPU samples: in which function, and beneath it in which of the kernel's. */
#ifndef SCALER_ANALYSIS_CPU_SUMMARY_H
#define SCALER_ANALYSIS_CPU_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/estimate.h"
#include "model/places.h"
#include "analysis/report_options.h"
#include "model/profile.h"

struct cpu_row {
	size_t place;  /* index in places.items; PLACE_NONE: in no user space, or not known where */
	size_t kernel; /* the same; PLACE_NONE: not in the kernel */
	uint64_t samples;
	struct estimate time;
};

struct cpu_summary {
	struct cpu_row *rows; /* owned; sorted */
	size_t row_count;
	uint64_t samples;
	uint64_t running_ns; /* of all threads, exactly */
};

/* Returns 0, or -ENOMEM with nothing to clear. */
int cpu_summary_make(struct profile *profile, const struct places *places, uint64_t running_ns,
		     enum sort_key sort, struct cpu_summary *summary);
/* The sum of the rows from first on, of which there is at least one. */
struct cpu_row cpu_summary_rest(const struct cpu_summary *summary, size_t first);
void cpu_summary_clear(struct cpu_summary *summary);

#endif
