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

static bool saves(const struct reporting *reporting)
{
	return reporting->saved.path;
}

int reporting_open(struct reporting *reporting, const struct options *options, int signal_fd)
{
	*reporting = (struct reporting){
		.options = options,
		.search = { .folder = options->report.symbols, .signal_fd = signal_fd },
		.trigger = { .options = &options->keep },
	};
	reporting->symbolizer.search = &reporting->search;
	if (presenter_open(&reporting->presenter, options, signal_fd))
		return -1;
	reporting->presenter.recording = &reporting->recording;
	live_begin(&reporting->live, options->format, reporting->presenter.output.file);
	if (!options->save)
		return 0;
	return recording_output_open(&reporting->saved, options->save, &options->keep, signal_fd) ? -1 : 0;
}

int reporting_begin(struct reporting *reporting)
{
	return saves(reporting) ? recording_output_begin(&reporting->saved, &reporting->recording) : 0;
}

static int add_places(struct reporting *reporting, const struct profile *profile)
{
	struct wait_things others = { 0 };
	int err = chain_builder_things(&reporting->presenter.feed.chains, &others) ?:
			  symbolize(&reporting->symbolizer, &reporting->places, profile, &others);

	wait_things_clear(&others);
	return err;
}

/* What was saved has been named then, and is reported as it was saved. */
static int name_all(struct reporting *reporting, struct profile *profile)
{
	if (saves(reporting))
		return 0;
	return placement_complete(profile) ?: add_places(reporting, profile);
}

/* One line for each error; those of the recording file have theirs. */
static int explain_error(struct reporting *reporting, int err, const char *what)
{
	if (err && !reporting->has_explained)
		log_error("cannot %s: %s", what, strerror(-err));
	reporting->has_explained |= err != 0;
	return err;
}

static int report_live(struct reporting *reporting, struct profile *reading, bool is_last)
{
	struct report_options options = reporting->options->report;
	int err = placement_complete(reading);

	options.parts = 0;
	options.width = options.width ?: report_output_width(&reporting->presenter.output);
	return err                                    ?:
		       add_places(reporting, reading) ?:
		       live_print(&reporting->live, reading, &reporting->places, &options, is_last);
}

static int save(struct reporting *reporting, struct profile *interval, bool is_last)
{
	int err = placement_complete(interval) ?: add_places(reporting, interval);
	bool is_due = false;

	if (err)
		return err;
	err = recording_output_add(&reporting->saved, interval, &reporting->unsaved, &reporting->places,
				   is_last);
	marks_clear(&reporting->unsaved);
	if (!err && is_last)
		err = recording_output_end(&reporting->saved);
	reporting->has_explained = err;
	if (!err && !is_last)
		err = trigger_look(&reporting->trigger, interval, &reporting->places, &is_due);
	/* That it cannot be saved now does not end what is recorded. */
	if (is_due)
		recording_output_save(&reporting->saved, NULL);
	return err;
}

/* What has happened since the last reading. */
static int count(struct reporting *reporting, struct profile *interval, bool is_last)
{
	int err = saves(reporting) ? save(reporting, interval, is_last) : 0;

	if (err || reporting->is_paused || !reporting->options->report.parts)
		return err;
	/* Those of a recording that is not saved are taken one by one, and asked for at any time. */
	return saves(reporting) ? presenter_take(&reporting->presenter, interval, is_last) :
				  presenter_count(&reporting->presenter, interval);
}

static int read_recorder(struct reporting *reporting, struct profile *reading)
{
	int err = fold_read(reporting->recorder, reporting->reader, &reporting->ended, reading);

	reading->functions = library_setup_functions(reporting->library);
	reading->cost.has_probes = reading->functions;
	reading->library_sampling = library_setup_sampling(reporting->library);
	return err;
}

/* Brings what is summed, and saved, up to now. */
static int cut(struct reporting *reporting, bool is_last)
{
	struct profile reading = { 0 }, interval = { 0 };
	int err;

	if (!reporting->is_recording)
		return 0;
	err = read_recorder(reporting, &reading)                                      ?:
		      interval_between(&reporting->last_reading, &reading, &interval) ?:
		      count(reporting, &interval, is_last);
	profile_clear(&interval);
	profile_clear(&reporting->last_reading);
	reporting->last_reading = reading;
	return explain_error(reporting, err, "read what was recorded");
}

int reporting_take(struct reporting *reporting)
{
	int err = chain_feed_take(&reporting->presenter.feed, reporting->recorder, reporting->reader);

	return explain_error(reporting, err, "take what was recorded so far");
}

int reporting_make_room(struct reporting *reporting)
{
	int err = fold_make_room(reporting->recorder, &reporting->ended);

	return explain_error(reporting, err, "take what ended threads have left");
}

/* What has come since the last report. The reading of a recording with one report is that. */
static int find_interval(struct reporting *reporting, struct profile *reading, bool is_last,
			 struct profile *interval)
{
	return is_last && !reporting->presenter.has_reported ?
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
			      name_all(reporting, &interval)                 ?:
			      presenter_report(&reporting->presenter, &interval, &reporting->places);
	profile_clear(&interval);
	profile_clear(&reporting->last_reading);
	reporting->last_reading = reading;
	return err;
}

static int report_sum(struct reporting *reporting)
{
	struct interval_sum *whole = &reporting->presenter.whole;
	int err = cut(reporting, false) ?: name_all(reporting, &whole->profile);

	return err ?: presenter_report_sum(&reporting->presenter, &reporting->places);
}

static bool sums(const struct reporting *reporting)
{
	return saves(reporting) || (reporting->options->control && !reporting->options->report.stream);
}

int reporting_cut(struct reporting *reporting)
{
	return cut(reporting, false);
}

int reporting_save(struct reporting *reporting, const char *path, const char **reason)
{
	int err;

	*reason = reporting->saved.keeps ? NULL : "nothing is kept to be saved: give record --keep";
	if (*reason)
		return 0;
	err = cut(reporting, false);
	if (!err && recording_output_save(&reporting->saved, path))
		*reason = "it cannot be written";
	return err;
}

int reporting_make(struct reporting *reporting)
{
	int err;

	if (!reporting->is_recording)
		return 0;
	err = sums(reporting) ? report_sum(reporting) : report_interval(reporting, false);
	reporting->presenter.has_reported = true;
	err = explain_error(reporting, err, "report what was recorded");
	return err ?: report_output_flush(&reporting->presenter.output);
}

static int report_end(struct reporting *reporting)
{
	struct regions *regions = &reporting->presenter.regions;
	int err = cut(reporting, true);

	for (size_t i = 0; i < regions->count && !err; i++)
		err = name_all(reporting, &regions->items[i].sum.profile);
	return err                                                              ?:
		       name_all(reporting, &reporting->presenter.whole.profile) ?:
		       presenter_report_all(&reporting->presenter, &reporting->places);
}

int reporting_make_last(struct reporting *reporting)
{
	int err;

	if (!reporting->is_recording) {
		log_note("nothing was recorded, because nobody has enabled it");
		return saves(reporting) ? recording_output_end(&reporting->saved) : 0;
	}
	err = sums(reporting) ? report_end(reporting) : report_interval(reporting, true);
	return explain_error(reporting, err, "report what was recorded");
}

void reporting_say_saved(const struct reporting *reporting)
{
	recording_output_say(&reporting->saved);
}

static const char *refuse_pauses(const struct reporting *reporting)
{
	if (reporting->options->report.stream)
		return "--live does not pause";
	if (saves(reporting))
		return "a recording file has all of a recording";
	return presenter_follows_waits(&reporting->presenter) ?
		       "wait chains, bottlenecks and critical paths need all of a recording" :
		       NULL;
}

int reporting_pause(struct reporting *reporting, const char **reason)
{
	int err;

	*reason = refuse_pauses(reporting);
	if (*reason || reporting->is_paused)
		return 0;
	err = cut(reporting, false);
	interval_sum_end_run(&reporting->presenter.whole);
	regions_pause(&reporting->presenter.regions);
	reporting->is_paused = true;
	return err;
}

int reporting_go_on(struct reporting *reporting, const char **reason)
{
	int err;

	*reason = NULL;
	if (!reporting->is_paused)
		return 0;
	err = cut(reporting, false);
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

/* What came before is not the region's that begins, and is that of the one that ends. */
int reporting_mark(struct reporting *reporting, const struct mark *mark, const char **reason)
{
	int err;

	*reason = sums(reporting) ? NULL : "--live has no regions";
	if (*reason)
		return 0;
	err = mark->kind == MARK_MOMENT ? 0 : cut(reporting, false);
	if (err)
		return err;
	*reason = explain(regions_mark(&reporting->presenter.regions, mark));
	if (*reason || !saves(reporting))
		return 0;
	err = marks_add(&reporting->unsaved, mark->kind, mark->time_ns, mark->name);
	return explain_error(reporting, err, "note a mark");
}

int reporting_close(struct reporting *reporting)
{
	int err = presenter_close(&reporting->presenter);

	profile_clear(&reporting->last_reading);
	ended_threads_clear(&reporting->ended);
	places_clear(&reporting->places);
	marks_clear(&reporting->unsaved);
	recording_output_close(&reporting->saved);
	return err;
}
