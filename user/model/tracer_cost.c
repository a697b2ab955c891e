// SPDX-License-Identifier: GPL-2.0-only
/* Differences and sums of what the tracer took. */
#include "model/tracer_cost.h"

uint64_t tracer_cost_resident(uint64_t most_bytes, uint64_t mapped_bytes, uint64_t other_bytes)
{
	/* The kernel's sum may lag behind by some pages of each thread. */
	bool is_counted = most_bytes >= mapped_bytes && most_bytes >= other_bytes + mapped_bytes / 2;

	return is_counted ? most_bytes - mapped_bytes : most_bytes;
}

struct tracer_cost tracer_cost_since(const struct tracer_cost *before, const struct tracer_cost *after)
{
	struct tracer_cost since = *after;

	since.cpu_ns -= before->cpu_ns;
	since.spending = scaler_spending_since(&before->spending, &after->spending);
	return since;
}

void tracer_cost_add(struct tracer_cost *sum, const struct tracer_cost *more)
{
	sum->cpu_ns += more->cpu_ns;
	sum->resident_bytes = more->resident_bytes;
	sum->kernel_bytes = more->kernel_bytes;
	sum->has_probes |= more->has_probes;
	scaler_spending_add(&sum->spending, &more->spending);
}
