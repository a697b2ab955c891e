// SPDX-License-Identifier: GPL-2.0-only
/* The options of the blocking report. */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "options/option_table.h"

/* How long an interval that has ended waits at most to be printed, but for what printing takes. */
#define LIVE_PERIOD_NS 200000000

int option_apply_live(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	(void)value;
	(void)error;
	options->report.stream = REPORT_STREAM_ENDED;
	options->records_blocking = true;
	return 0;
}

int option_apply_state(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	options->report.filter.states = value;
	if (!*value || value[strspn(value, BLOCKING_STATE_LETTERS)])
		return options_refuse(
			error, "--state takes letters out of " BLOCKING_STATE_LETTERS ", not '%s'", value);
	return 0;
}

int option_apply_task(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	if (globs_add(&options->report.filter.tasks, value))
		return options_refuse(
			error, "--task takes names, shell patterns or TIDs separated by commas, not '%s'",
			value);
	return 0;
}

static bool asks_for_intervals(const struct options *options)
{
	return options->records_blocking || options->asks || options->named & REPORT_INTERVALS;
}

/* What chooses among blocking intervals, or is about them alone. */
static int check_filter(const struct options *options, char *error)
{
	const struct blocking_filter *filter = &options->report.filter;

	bool is_about_blocking =
		!blocking_filter_is_empty(filter) || options->report.wall_clock || options->records_paths;

	if (!asks_for_intervals(options) && !options->save && is_about_blocking)
		return options_refuse(
			error, "--min-duration, --since, --until, --state, --task, --paths and --wall-clock "
			       "are about blocking intervals: give --blocking-report or --wait-chains too");
	if (filter->until_ns && filter->since_ns >= filter->until_ns)
		return options_refuse(error, "--until must be later than --since");
	return 0;
}

/* What is printed is forgotten, so that nothing can be summed. */
static int choose_live(struct options *options, char *error)
{
	const struct report_options *report = &options->report;

	if (options->named & ~(unsigned int)REPORT_BLOCKING || options->chooses_functions || options->asks)
		return options_refuse(error, "--live prints blocking intervals and no other report");
	if (options->interval_ns)
		return options_refuse(error, "--live and --interval exclude each other");
	if (report->sort)
		return options_refuse(error,
				      "--live prints intervals as they end, so there is nothing to --sort");
	options->report.parts = REPORT_BLOCKING;
	options->interval_ns = LIVE_PERIOD_NS;
	return 0;
}

/* Those of the tables that there are. */
static unsigned int choose_tables(const struct options *options)
{
	unsigned int parts = options->no_syscalls ? REPORT_CPU | REPORT_THREADS : REPORT_TABLES;

	if (options_may_have_calls(options))
		parts |= REPORT_OF_PROBES;
	if (options->depth_is_given && !options->depth.frames)
		parts &= ~(unsigned int)REPORT_FUNCTIONS;
	return options->no_samples ? parts & ~(unsigned int)REPORT_CPU : parts;
}

bool options_may_have_calls(const struct options *options)
{
	return options->chooses_functions || options->subcommand == SUBCOMMAND_REPORT;
}

/* What is saved is asked for later. */
static unsigned int choose_saved(const struct options *options)
{
	unsigned int parts = REPORT_ALL & ~(unsigned int)(REPORT_NAMED_ALL | REPORT_OF_PROBES);

	return options->no_syscalls ? parts & ~(unsigned int)REPORT_OF_CALLS : parts;
}

/* What there is to print if no report is asked for. What is about tables alone asks for them. */
static unsigned int choose_default(const struct options *options)
{
	const struct report_options *report = &options->report;
	bool is_about_tables = report->sort || report->component_of;

	if (options->records_blocking)
		return REPORT_SCHEDULING | REPORT_BLOCKING_DEFAULT;
	if (options->format == &renderer_text && !is_about_tables)
		return options_may_have_calls(options) ? REPORT_SCREEN | REPORT_LIBRARY : REPORT_SCREEN;
	return choose_tables(options);
}

static void choose_parts(struct options *options)
{
	unsigned int *parts = &options->report.parts, tables = 0;

	if (options->named & REPORT_NAMED_ALL)
		tables = choose_tables(options);
	*parts = (options->named & ~(unsigned int)REPORT_NAMED_ALL) | tables;
	if (!*parts && (options->records_blocking || !options->asks))
		*parts = choose_default(options);
	/* --blocking-report beside reports that are of other things. */
	if (options->records_blocking && !(*parts & REPORT_INTERVALS & ~(unsigned int)REPORT_SUMMARY_WAITS))
		*parts |= REPORT_BLOCKING_DEFAULT;
	*parts |= options->asks;
	options->records |= *parts | (options->save ? choose_saved(options) : 0);
	options->records_blocking |= (options->records & REPORT_INTERVALS) != 0;
}

/* Else --func chooses among library functions, whose calls are counted by probes. */
static bool func_is_of_waits(const struct options *options)
{
	const struct plan_options *plan = &options->plan;
	unsigned int parts = options->named | options->asks;
	bool wants_probes = plan->libraries.count || plan->excluded.count || options->asks_calls ||
			    options->counts_only || options->list || options->subcommand == SUBCOMMAND_RECORD;

	if (options->subcommand == SUBCOMMAND_REPORT)
		return plan->functions.count;

	if (!plan->functions.count || wants_probes || parts & ~(REPORT_INTERVALS | REPORT_SCHEDULING))
		return false;
	return options->records_blocking || parts & REPORT_INTERVALS;
}

static void choose_functions(struct options *options)
{
	if (!func_is_of_waits(options))
		return;
	options->report.filter.functions = options->plan.functions;
	options->plan.functions = (struct globs){ 0 };
	options->chooses_functions = NULL;
}

int options_choose_blocking(struct options *options, char error[OPTIONS_ERROR_SIZE])
{
	const unsigned int *parts = &options->report.parts;

	choose_functions(options);
	if (check_filter(options, error))
		return -EINVAL;
	if (!options->report.stream)
		choose_parts(options);
	else if (choose_live(options, error))
		return -EINVAL;
	if (options_check_chains(options, error))
		return -EINVAL;
	if (!options->records_blocking)
		return 0;
	if (options->format == &renderer_folded && *parts & REPORT_INTERVALS && *parts != REPORT_CHAINS)
		return options_refuse(error,
				      "--folded shows of blocking intervals the chains: give --wait-chains "
				      "and no other report, or --format json");
	if (options->records & REPORT_WITH_CALLS)
		return 0;
	if (options->filter)
		return options_refuse(error, "--syscalls chooses among the calls of reports such as "
					     "--report blocking,syscalls; the blocking report has all");
	options->no_syscalls = true;
	return 0;
}
