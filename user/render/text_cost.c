// SPDX-License-Identifier: GPL-2.0-only
/* What the tracer took from the threads, and what it did not record therefore: at the foot of a report, as text. */
#include "render/text.h"

#include <inttypes.h>

#include "base/units.h"
#include "model/sampled_calls.h"

const char *text_sampled_mark(const struct sampled_sums *sums)
{
	/* More calls than those that were counted may have been made, and none was seen. */
	if (sampled_any(sums))
		return "~";
	return sampled_is_part(sums) ? ">=" : "";
}

/* "~: estimated from 28 windows, because to record every system call would cost more than --overhead allows". */
static void print_sampled(FILE *out, const struct report *report)
{
	const struct scaler_sampling *sampling = &report->sampled.sampling;
	char time[UNITS_SIZE];

	if (sampling->windows)
		fprintf(out,
			"~: estimated from %" PRIu64
			" window%s, because to record every system call would cost more than "
			"--overhead allows; --format json has the 95%% ranges\n",
			(uint64_t)sampling->windows, sampling->windows == 1 ? "" : "s");
	else if (sampling->unseen_ns)
		fprintf(out,
			"not recorded: system calls during the last %s that the threads ran, because they "
			"would "
			"have cost more than --overhead allows\n",
			units_format_time(sampling->unseen_ns, time));
}

/* "overhead: 4.1% of the threads' own running time, 4.1 ms: system calls 2.0 ms, switches 0.8 ms, samples 0.1 ms, probes 1.2 ms". */
static void print_overhead(FILE *out, const struct tracer_cost *cost)
{
	static const char *const names[SCALER_COST_KINDS] = {
		[SCALER_COST_CALLS] = "system calls",
		[SCALER_COST_SWITCHES] = "switches",
		[SCALER_COST_SAMPLES] = "samples",
		[SCALER_COST_PROBES] = "probes",
	};
	char time[UNITS_SIZE], share[UNITS_SIZE];
	uint64_t sum_ns = scaler_spending_sum_ns(&cost->spending);

	if (!cost->spending.running_ns || sum_ns >= cost->spending.running_ns)
		return;
	fprintf(out, "overhead: %s of the threads' own running time, %s:",
		units_format_share(sum_ns, cost->spending.running_ns - sum_ns, share),
		units_format_time(sum_ns, time));
	for (int kind = 0; kind < SCALER_COST_KINDS; kind++) {
		if (kind != SCALER_COST_PROBES || cost->has_probes)
			fprintf(out, "%s %s %s", kind ? "," : "", names[kind],
				units_format_time(cost->spending.spent_ns[kind], time));
	}
	fputc('\n', out);
}

void text_cost(struct renderer *renderer, const struct report *report)
{
	print_sampled(renderer->out, report);
	print_overhead(renderer->out, &report->cost);
}
