// SPDX-License-Identifier: GPL-2.0-only
/* Differences and sums of what the tracer took. */
#include "model/tracer_cost.h"

struct tracer_cost tracer_cost_since(const struct tracer_cost *before, const struct tracer_cost *after)
{
	struct tracer_cost since = *after;

	since.cpu_ns -= before->cpu_ns;
	since.probes_ns -= before->probes_ns;
	since.probed_running_ns -= before->probed_running_ns;
	since.spending = scaler_spending_since(&before->spending, &after->spending);
	return since;
}

void tracer_cost_add(struct tracer_cost *sum, const struct tracer_cost *more)
{
	sum->cpu_ns += more->cpu_ns;
	sum->resident_bytes = more->resident_bytes;
	sum->kernel_bytes = more->kernel_bytes;
	sum->probes_ns += more->probes_ns;
	sum->probed_running_ns += more->probed_running_ns;
	scaler_spending_add(&sum->spending, &more->spending);
}
