/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tracer itself took, and what its programs took from the traced threads. */
#ifndef SCALER_MODEL_TRACER_COST_H
#define SCALER_MODEL_TRACER_COST_H

#include <stdbool.h>
#include <stdint.h>

#include <scaler/cost.h>

struct tracer_cost {
	uint64_t cpu_ns;
	uint64_t resident_bytes;         /* of its process, at most */
	uint64_t kernel_bytes;           /* of its maps, as the kernel counts them */
	bool has_probes;                 /* on library functions */
	struct scaler_spending spending; /* its time_ns is how long that took */
};

/*
 * A process's own memory where maps are mapped into it, from how much it had resident at most. Linux 6.1 counts the maps'
 * pages only where it looks at each, not in that sum, from which others have to be taken out.
 */
uint64_t tracer_cost_resident(uint64_t most_bytes, uint64_t mapped_bytes, uint64_t other_bytes);

/* What came since; memory is as it is now. */
struct tracer_cost tracer_cost_since(const struct tracer_cost *before, const struct tracer_cost *after);
void tracer_cost_add(struct tracer_cost *sum, const struct tracer_cost *more);

#endif
