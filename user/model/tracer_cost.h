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

/* What came since; memory is as it is now. */
struct tracer_cost tracer_cost_since(const struct tracer_cost *before, const struct tracer_cost *after);
void tracer_cost_add(struct tracer_cost *sum, const struct tracer_cost *more);

#endif
