// SPDX-License-Identifier: GPL-2.0-only
/* From what happened to reports of it. */
#include "cmd/presenter.h"

#include <unistd.h>

#include "analysis/report.h"
#include "render/renderer.h"

int presenter_open(struct presenter *presenter, const struct options *options, int signal_fd)
{
	*presenter = (struct presenter){ .options = &options->report, .format = options->format };
	if (report_output_open(&presenter->output, options->output,
			       options->target.command ? STDERR_FILENO : STDOUT_FILENO, signal_fd))
		return -1;
	chain_feed_begin(&presenter->feed, &options->report);
	return 0;
}

bool presenter_follows_waits(const struct presenter *presenter)
{
	return presenter->options->parts & REPORT_GRAPH;
}

int presenter_count(struct presenter *presenter, const struct profile *difference)
{
	return regions_add(&presenter->regions, difference) ?:
							      interval_sum_add(&presenter->whole, difference);
}

int presenter_take(struct presenter *presenter, struct profile *difference, bool is_last)
{
	return chain_feed_add(&presenter->feed, difference, is_last) ?:
								       presenter_count(presenter, difference);
}

/* What is asked for, as far as it can be had. */
static struct report_options choose_options(const struct presenter *presenter, const struct profile *profile)
{
	const struct recording *recording = presenter->recording;
	struct report_options options = *presenter->options;
	const unsigned int of_calls = REPORT_COMPONENTS | REPORT_FUNCTIONS | REPORT_SUMMARY;

	options.width = options.width ?: report_output_width(&presenter->output);
	options.repeats |= presenter->has_reported;
	options.has_others = recording->recorded & RECORDED_MARKS;
	options.cpus = recording->cpus;
	options.frequency = recording->frequency;
	options.syscalls = recording->syscalls;
	options.path.target = (pid_t)recording->process;
	options.names_calls_option =
		!(recording->recorded & (RECORDED_PROBES | RECORDED_SYSTEM)) && options.parts & of_calls;
	if (!options.frequency)
		options.parts &= ~REPORT_CPU;
	if (!(recording->recorded & RECORDED_STACKS)) {
		options.component_of = COMPONENT_OF_ISSUING;
		options.parts &= ~REPORT_FUNCTIONS;
	}
	/* They are not there for those who have not asked for them, and whom they cannot be had for. */
	if (!profile->functions)
		options.parts &= ~(unsigned int)REPORT_OF_PROBES;
	return options;
}

static int print(struct presenter *presenter, struct profile *profile, const struct places *places,
		 const struct region *region)
{
	struct report_options options = choose_options(presenter, profile);
	struct report report = { 0 };
	int err;

	if (region && presenter_follows_waits(presenter))
		options.parts &= ~(unsigned int)REPORT_INTERVALS;
	err = report_make(profile, places, &options, &presenter->feed.chains, &report);
	report.region = region;
	report.marks = region ? NULL : &presenter->regions;
	if (!err)
		err = renderer_run(presenter->format, &report, presenter->output.file);
	report_clear(&report);
	return err;
}

int presenter_report(struct presenter *presenter, struct profile *profile, const struct places *places)
{
	int err = chain_feed_finish(&presenter->feed, profile) ?: print(presenter, profile, places, NULL);

	chain_feed_next(&presenter->feed, profile);
	return err;
}

int presenter_report_sum(struct presenter *presenter, const struct places *places)
{
	struct interval_sum *whole = &presenter->whole;
	int err = 0;

	interval_sum_end_run(whole);
	if (!interval_sum_is_empty(whole))
		err = presenter_report(presenter, &whole->profile, places);
	interval_sum_clear(whole);
	presenter->has_reported = true;
	return err;
}

/* As stacks of regions that overlap would count twice with those of the whole, folded ones are of the regions alone. */
int presenter_report_all(struct presenter *presenter, const struct places *places)
{
	struct regions *regions = &presenter->regions;
	struct interval_sum *whole = &presenter->whole;
	int err = 0;

	for (size_t i = 0; i < regions->count && !err; i++) {
		struct region *region = &regions->items[i];

		interval_sum_end_run(&region->sum);
		if (!interval_sum_is_empty(&region->sum))
			err = print(presenter, &region->sum.profile, places, region);
	}
	if (err || interval_sum_is_empty(whole) || (regions->count && presenter->format == &renderer_folded))
		return err;
	return presenter_report(presenter, &whole->profile, places);
}

int presenter_close(struct presenter *presenter)
{
	int err = report_output_close(&presenter->output);

	interval_sum_clear(&presenter->whole);
	regions_clear(&presenter->regions);
	chain_feed_clear(&presenter->feed);
	return err;
}
