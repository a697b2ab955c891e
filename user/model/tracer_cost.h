/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tracer itself took, and what its programs took from the traced threads. */
#ifndef SCALER_MODEL_TRACER_COST_H
#define SCALER_MODEL_TRACER_COST_H

#include <stdint.h>

#include <scaler/cost.h>

struct tracer_cost {
	uint64_t cpu_ns;
	uint64_t resident_bytes; /* of its process, at most */
	uint64_t kernel_bytes;   /* of its maps, as the kernel counts them */
	/* Of probes on library functions, in the programs that they are in: estimated. */
	uint64_t probes_ns;
	uint64_t probed_running_ns;      /* for how long these ran meanwhile, that included */
	struct scaler_spending spending; /* by all else; its time_ns is how long that took */
};

/* What came since; memory is as it is now. */
struct tracer_cost tracer_cost_since(const struct tracer_cost *before, const struct tracer_cost *after);
void tracer_cost_add(struct tracer_cost *sum, const struct tracer_cost *more);

#endif
