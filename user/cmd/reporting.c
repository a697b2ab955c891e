// SPDX-License-Identifier: GPL-2.0-only
/* From what is recorded to reports of it. */
#include "cmd/reporting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/report.h"
#include "base/clock.h"
#include "base/log.h"
#include "model/interval.h"
#include "render/renderer.h"
#include "stream/fold.h"
#include "stream/placement.h"

int reporting_open(struct reporting *reporting, const struct options *options, int signal_fd)
{
	*reporting = (struct reporting){
		.options = options,
		.search = { .folder = options->report.symbols, .signal_fd = signal_fd },
	};
	reporting->symbolizer.search = &reporting->search;
	if (report_output_open(&reporting->output, options->output,
			       options->target.command ? STDERR_FILENO : STDOUT_FILENO, signal_fd))
		return -1;
	live_begin(&reporting->live, options->format, reporting->output.file);
	chain_feed_begin(&reporting->feed, &options->report);
	return 0;
}

static int add_places(struct reporting *reporting, const struct profile *profile)
{
	struct wait_things others = { 0 };
	int err = chain_builder_things(&reporting->feed.chains, &others) ?:
			  symbolize(&reporting->symbolizer, &reporting->places, profile, &others);

	wait_things_clear(&others);
	return err;
}

/* What is asked for, as far as it can be had. */
static struct report_options choose_options(const struct reporting *reporting, const struct profile *profile)
{
	struct report_options options = reporting->options->report;

	if (!options.width)
		options.width = report_output_width(&reporting->output);
	if (reporting->command)
		options.path.target = reporting->command;
	options.cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	options.repeats |= reporting->has_reported;
	options.frequency = recorder_frequency(reporting->recorder);
	if (!options.frequency)
		options.parts &= ~REPORT_CPU;
	if (!reporting->walks_stacks) {
		options.component_of = COMPONENT_OF_ISSUING;
		options.parts &= ~REPORT_FUNCTIONS;
	}
	/* They are not there for those who have not asked for them, and whom they cannot be had for. */
	if (!profile->functions)
		options.parts &= ~(unsigned int)REPORT_OF_PROBES;
	return options;
}

static int print_report(struct reporting *reporting, struct profile *profile, struct report_options *options,
			const struct region *region)
{
	struct report report = { 0 };
	int err = report_make(profile, &reporting->places, options, &reporting->feed.chains, &report);

	report.region = region;
	report.marks = region ? NULL : &reporting->regions;
	if (!err)
		err = renderer_run(reporting->options->format, &report, reporting->output.file);
	report_clear(&report);
	return err;
}

static int print_profile(struct reporting *reporting, struct profile *profile)
{
	struct report_options options = choose_options(reporting, profile);
	int err = placement_complete(profile)                          ?:
			  chain_feed_finish(&reporting->feed, profile) ?:
			  add_places(reporting, profile)               ?:
			  print_report(reporting, profile, &options, NULL);

	chain_feed_next(&reporting->feed, profile);
	return err;
}

/* Where waits are followed from one to the next, there is no part of them to leave out. */
static bool follows_waits(const struct reporting *reporting)
{
	return reporting->options->report.parts & REPORT_GRAPH;
}

static int print_region(struct reporting *reporting, struct region *region)
{
	struct profile *profile = &region->sum.profile;
	struct report_options options = choose_options(reporting, profile);

	if (follows_waits(reporting))
		options.parts &= ~(unsigned int)REPORT_INTERVALS;
	interval_sum_end_run(&region->sum);
	return placement_complete(profile)            ?:
		       add_places(reporting, profile) ?:
							print_report(reporting, profile, &options, region);
}

static int report_live(struct reporting *reporting, struct profile *reading, bool is_last)
{
	struct report_options options = reporting->options->report;
	int err = placement_complete(reading);

	options.parts = 0;
	options.width = options.width ?: report_output_width(&reporting->output);
	return err                                    ?:
		       add_places(reporting, reading) ?:
		       live_print(&reporting->live, reading, &reporting->places, &options, is_last);
}

/* What has happened since the last reading. */
static int count(struct reporting *reporting, const struct profile *interval)
{
	if (reporting->is_paused)
		return 0;
	return regions_add(&reporting->regions, interval) ?: interval_sum_add(&reporting->whole, interval);
}

static int read_recorder(struct reporting *reporting, struct profile *reading)
{
	int err = fold_read(reporting->recorder, reporting->reader, &reporting->ended, reading);

	reading->functions = library_setup_functions(reporting->library);
	reading->cost.has_probes = reading->functions;
	reading->library_sampling = library_setup_sampling(reporting->library);
	return err;
}

/* Brings what is summed up to now. */
static int cut(struct reporting *reporting)
{
	struct profile reading = { 0 }, interval = { 0 };
	int err;

	if (!reporting->is_recording)
		return 0;
	err = read_recorder(reporting, &reading)                                      ?:
		      interval_between(&reporting->last_reading, &reading, &interval) ?:
		      count(reporting, &interval);
	profile_clear(&interval);
	profile_clear(&reporting->last_reading);
	reporting->last_reading = reading;
	if (err)
		log_error("cannot read what was recorded: %s", strerror(-err));
	return err;
}

int reporting_take(struct reporting *reporting)
{
	int err = chain_feed_take(&reporting->feed, reporting->recorder, reporting->reader);

	if (err)
		log_error("cannot take what was recorded so far: %s", strerror(-err));
	return err;
}

int reporting_make_room(struct reporting *reporting)
{
	int err = fold_make_room(reporting->recorder, &reporting->ended);

	if (err)
		log_error("cannot take what ended threads have left: %s", strerror(-err));
	return err;
}

/* What has come since the last report. The reading of a recording with one report is that. */
static int find_interval(struct reporting *reporting, struct profile *reading, bool is_last,
			 struct profile *interval)
{
	return is_last && !reporting->has_reported ?
		       interval_of_all(reading, interval) :
		       interval_between(&reporting->last_reading, reading, interval);
}

/* Where nobody marks anything, what is since the last report is one interval. */
static int report_interval(struct reporting *reporting, bool is_last)
{
	struct profile reading = { 0 }, interval = { 0 };
	int err = read_recorder(reporting, &reading);

	if (!err && reporting->options->report.stream)
		err = report_live(reporting, &reading, is_last);
	else if (!err)
		err = find_interval(reporting, &reading, is_last, &interval) ?:
			      print_profile(reporting, &interval);
	profile_clear(&interval);
	profile_clear(&reporting->last_reading);
	reporting->last_reading = reading;
	return err;
}

static int report_sum(struct reporting *reporting)
{
	int err = cut(reporting);

	interval_sum_end_run(&reporting->whole);
	if (!err && !interval_sum_is_empty(&reporting->whole))
		err = print_profile(reporting, &reporting->whole.profile);
	interval_sum_clear(&reporting->whole);
	return err;
}

static bool sums(const struct reporting *reporting)
{
	return reporting->options->control && !reporting->options->report.stream;
}

int reporting_make(struct reporting *reporting)
{
	int err;

	if (!reporting->is_recording)
		return 0;
	err = sums(reporting) ? report_sum(reporting) : report_interval(reporting, false);
	reporting->has_reported = true;
	if (err)
		log_error("cannot report what was recorded: %s", strerror(-err));
	return err ?: report_output_flush(&reporting->output);
}

/* As stacks of regions that overlap would count twice with those of the whole, folded ones are of the regions alone. */
static int report_end(struct reporting *reporting)
{
	struct regions *regions = &reporting->regions;
	int err = cut(reporting);

	for (size_t i = 0; i < regions->count && !err; i++) {
		if (!interval_sum_is_empty(&regions->items[i].sum))
			err = print_region(reporting, &regions->items[i]);
	}
	if (!err && !interval_sum_is_empty(&reporting->whole) &&
	    !(regions->count && reporting->options->format == &renderer_folded))
		err = print_profile(reporting, &reporting->whole.profile);
	return err;
}

int reporting_make_last(struct reporting *reporting)
{
	int err;

	if (!reporting->is_recording) {
		log_note("nothing was recorded, because nobody has enabled it");
		return 0;
	}
	err = sums(reporting) ? report_end(reporting) : report_interval(reporting, true);

	if (err)
		log_error("cannot report what was recorded: %s", strerror(-err));
	return err;
}

static const char *refuse_pauses(const struct reporting *reporting)
{
	if (reporting->options->report.stream)
		return "--live does not pause";
	return follows_waits(reporting) ?
		       "wait chains, bottlenecks and critical paths need all of a recording" :
		       NULL;
}

int reporting_pause(struct reporting *reporting, const char **reason)
{
	int err;

	*reason = refuse_pauses(reporting);
	if (*reason || reporting->is_paused)
		return 0;
	err = cut(reporting);
	interval_sum_end_run(&reporting->whole);
	regions_pause(&reporting->regions);
	reporting->is_paused = true;
	return err;
}

int reporting_go_on(struct reporting *reporting, const char **reason)
{
	int err;

	*reason = NULL;
	if (!reporting->is_paused)
		return 0;
	err = cut(reporting);
	reporting->is_paused = false;
	return err;
}

/* Why a region cannot begin or end, or a moment not be named. */
static const char *explain(int err)
{
	switch (err) {
	case 0:
		return NULL;
	case -EEXIST:
		return "a region of that name has begun already";
	case -ENOENT:
		return "no region of that name has begun";
	case -ENOSPC:
		return "there are too many names";
	default:
		return strerror(-err);
	}
}

static const char *refuse_marks(const struct reporting *reporting)
{
	return sums(reporting) ? NULL : "--live has no regions";
}

/* What came before is not the region's that begins, and is that of the one that ends. */
static int change_region(struct reporting *reporting, const char *name, const char **reason,
			 int (*change)(struct regions *regions, const char *name))
{
	int err;

	*reason = refuse_marks(reporting);
	if (*reason)
		return 0;
	err = cut(reporting);
	if (!err)
		*reason = explain(change(&reporting->regions, name));
	return err;
}

int reporting_begin_region(struct reporting *reporting, const char *name, const char **reason)
{
	return change_region(reporting, name, reason, regions_begin);
}

int reporting_end_region(struct reporting *reporting, const char *name, const char **reason)
{
	return change_region(reporting, name, reason, regions_end);
}

int reporting_mark(struct reporting *reporting, const char *name, const char **reason)
{
	*reason = refuse_marks(reporting);
	if (!*reason)
		*reason = explain(regions_add_moment(&reporting->regions, name, clock_now_ns()));
	return 0;
}

int reporting_close(struct reporting *reporting)
{
	int err = report_output_close(&reporting->output);

	profile_clear(&reporting->last_reading);
	ended_threads_clear(&reporting->ended);
	interval_sum_clear(&reporting->whole);
	regions_clear(&reporting->regions);
	places_clear(&reporting->places);
	chain_feed_clear(&reporting->feed);
	return err;
}
