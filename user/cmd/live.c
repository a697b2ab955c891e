// SPDX-License-Identifier: GPL-2.0-only
/* --live: blocking intervals printed as they end. */
#include "cmd/live.h"

void live_begin(struct live *live, const struct renderer_ops *format, FILE *out)
{
	*live = (struct live){ .renderer = { .ops = format, .out = out } };
}

static void keep_figures(struct live *live, const struct profile *reading)
{
	for (size_t i = 0; i < reading->thread_count; i++) {
		const struct scaler_thread *thread = &reading->threads[i];

		if (!thread->end_ns)
			continue;
		live->repaired += thread->repaired;
		live->unseen_wakeups += thread->unseen_wakeups;
	}
}

static int print_intervals(struct live *live, struct profile *reading, const struct places *places,
			   const struct report_options *options)
{
	struct report report;
	int err = report_make_stream(reading, places, options, &report);

	if (!err)
		err = live->renderer.ops->stream(&live->renderer, &report);
	live->left_out += report.blocking.left_out;
	report_clear(&report);
	return err;
}

/* A report without any part but what was lost and left out. */
static int print_foot(struct live *live, struct profile *reading, const struct places *places,
		      const struct report_options *options)
{
	struct report_options nothing = *options;
	struct report report;
	int err;

	nothing.parts = 0;
	err = report_make(reading, places, &nothing, NULL, &report);
	report.blocking.left_out += live->left_out;
	report.threads.total.repaired += live->repaired;
	report.threads.total.unseen_wakeups += live->unseen_wakeups;
	if (!err)
		err = renderer_run(live->renderer.ops, &report, live->renderer.out);
	report_clear(&report);
	return err;
}

int live_print(struct live *live, struct profile *reading, const struct places *places,
	       const struct report_options *options, bool is_last)
{
	struct report_options stream = *options;
	int err;

	reading->recording_start_ns = reading->window.start_ns;
	stream.stream = is_last ? REPORT_STREAM_LAST : REPORT_STREAM_ENDED;
	err = print_intervals(live, reading, places, &stream);
	if (!err && is_last)
		return print_foot(live, reading, places, &stream);
	keep_figures(live, reading);
	return err;
}
