// SPDX-License-Identifier: GPL-2.0-only
/* What the tracer took from the threads, and what it did not record therefore: at the foot of a report, as text. */
#include "render/text.h"

#include <inttypes.h>

#include "base/units.h"
#include "model/sampled_calls.h"

const char *text_sampled_mark(const struct sampled_sums *sums)
{
	return sampled_any(sums) ? "~" : "";
}

/* "~: estimated from 28 windows, 1.9% of the time, in which system calls were recorded: ...". */
static void print_sampled(FILE *out, const struct report *report)
{
	const struct sampled_frame *frame = &report->sampled;
	const struct scaler_sampling *sampling = &frame->sampling;
	uint64_t calls = 0, recorded = 0;
	struct sampled_range range;
	char time[UNITS_SIZE];

	for (int group = 0; group < SCALER_WINDOW_GROUPS; group++)
		recorded += frame->recorded[group];
	if (!sampling->windows && sampling->unseen_ns)
		fprintf(out,
			"not recorded: system calls during the last %s that the threads ran, because they "
			"would "
			"have cost more than --overhead allows\n",
			units_format_time(sampling->unseen_ns, time));
	if (!sampling->windows)
		return;
	calls = (uint64_t)((double)recorded * sampling_ratio(sampling, recorded));
	range = sampled_find_range(frame, frame->recorded, calls);
	fprintf(out,
		"~: estimated, because to record every system call would cost more than --overhead allows: "
		"by %" PRIu64 " window%s, for all calls in them %" PRIu64 " (95%%: %" PRIu64 " to ",
		(uint64_t)sampling->windows, sampling->windows == 1 ? "" : "s", calls, range.low);
	if (range.high == UINT64_MAX)
		fputs("any number)\n", out);
	else
		fprintf(out, "%" PRIu64 ")\n", range.high);
}

/* "overhead: 4.1% of the threads' own time: system calls 2.0 ms, switches 0.8 ms, samples 0.1 ms, probes 1.2 ms". */
static void print_overhead(FILE *out, const struct tracer_cost *cost)
{
	static const char *const names[SCALER_COST_KINDS] = {
		[SCALER_COST_CALLS] = "system calls",
		[SCALER_COST_SWITCHES] = "switches",
		[SCALER_COST_SAMPLES] = "samples",
	};
	char time[UNITS_SIZE], share[UNITS_SIZE];
	uint64_t sum_ns = cost->probes_ns + scaler_spending_sum_ns(&cost->spending);

	if (!cost->spending.running_ns || sum_ns >= cost->spending.running_ns)
		return;
	fprintf(out, "overhead: %s of the threads' own running time:",
		units_format_share(sum_ns, cost->spending.running_ns - sum_ns, share));
	for (int kind = 0; kind < SCALER_COST_KINDS; kind++)
		fprintf(out, "%s %s %s", kind ? "," : "", names[kind],
			units_format_time(cost->spending.spent_ns[kind], time));
	if (cost->probed_running_ns)
		fprintf(out, ", probes %s", units_format_time(cost->probes_ns, time));
	fputc('\n', out);
}

void text_cost(struct renderer *renderer, const struct report *report)
{
	print_sampled(renderer->out, report);
	print_overhead(renderer->out, &report->cost);
}
