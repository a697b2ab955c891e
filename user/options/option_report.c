// SPDX-License-Identifier: GPL-2.0-only
/* The options that say what is recorded for a report, and what it looks like. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/parse.h"
#include "options/option_table.h"

/* More often, reading the maps would be what is measured. */
#define INTERVAL_LEAST_NS 100000000

/* Of CPU samples: more would cost the programs more than they tell. */
#define FREQUENCY_LIMIT 4000

int option_apply_syscalls(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	const char *culprit;
	size_t length;

	free(options->filter);
	options->filter = calloc(1, sizeof(*options->filter));
	if (!options->filter)
		return options_refuse(error, "no memory");
	if (syscall_filter_parse(options->filter, value, &culprit, &length))
		return options_refuse(error,
				      "--syscalls: '%.*s' is no system call and no %%class; "
				      "scaler-bpf syscalls lists them",
				      (int)length, culprit);
	options->report.syscalls = value;
	return 0;
}

int option_apply_report(struct options *options, const char *value, char *error)
{
	options->named = 0;
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		unsigned int part = report_part_find(at, length);

		if (!part)
			return options_refuse(error, "--report takes a list of: %s; not '%s'",
					      REPORT_PART_NAMES, value);
		options->named |= part;
		at += length;
		if (!*at)
			return 0;
	}
}

int option_apply_depth(struct options *options, const char *value, char *error)
{
	int64_t frames;

	options->depth_is_given = true;
	options->depth = (struct scaler_stack_depth){ SCALER_STACK_FRAMES, true };
	if (!strcmp(value, "app"))
		return 0;
	if (parse_integer(value, 0, SCALER_STACK_FRAMES, &frames))
		return options_refuse(error, "--depth takes app or a number of frames from 0 to %d, not '%s'",
				      SCALER_STACK_FRAMES, value);
	options->depth = (struct scaler_stack_depth){ (uint32_t)frames, false };
	return 0;
}

int option_apply_frequency(struct options *options, const char *value, char *error)
{
	int64_t frequency;

	if (parse_integer(value, 1, FREQUENCY_LIMIT, &frequency))
		return options_refuse(error, "--frequency takes 1 to %d samples a second, not '%s'",
				      FREQUENCY_LIMIT, value);
	options->frequency = (unsigned int)frequency;
	options->needs_samples = true;
	return 0;
}

int option_apply_component_of(struct options *options, const char *value, char *error)
{
	for (enum component_of of = 0; of < COMPONENT_OF_COUNT; of++) {
		if (strcmp(component_of_name(of), value))
			continue;
		options->report.component_of = of;
		if (of == COMPONENT_OF_CALLING)
			options->needs_stacks = "--component-of calling";
		return 0;
	}
	return options_refuse(error, "--component-of takes calling or issuing, not '%s'", value);
}

int option_apply_sort(struct options *options, const char *value, char *error)
{
	options->report.sort = sort_key_find(value);
	if (!options->report.sort)
		return options_refuse(error, "--sort takes one of: %s; not '%s'", SORT_KEY_NAMES, value);
	return 0;
}

int option_apply_symbols(struct options *options, const char *value, char *error)
{
	struct stat status;

	free(options->symbols);
	options->symbols = realpath(value, NULL);
	options->report.symbols = options->symbols;
	if (!options->symbols || stat(options->symbols, &status))
		return options_refuse(error, "--symbols cannot use '%s': %s", value, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return options_refuse(error, "--symbols takes a folder with debug files, and '%s' is none",
				      value);
	/* It separates the folders of a search path. */
	if (strchr(options->symbols, ':'))
		return options_refuse(error, "--symbols cannot use a folder with ':' in its path: '%s'",
				      options->symbols);
	return 0;
}

int option_apply_top(struct options *options, const char *value, char *error)
{
	int64_t top;

	if (parse_integer(value, 1, INT_MAX, &top))
		return options_refuse(error, "--top takes a number of rows from 1 on, not '%s'", value);
	options->report.top = (size_t)top;
	return 0;
}

int option_apply_interval(struct options *options, const char *value, char *error)
{
	if (parse_time(value, &options->interval_ns) || options->interval_ns < INTERVAL_LEAST_NS)
		return options_refuse(error, "--interval takes seconds from 0.1 on, or 100ms, not '%s'",
				      value);
	options->report.repeats = true;
	return 0;
}

int option_apply_output(struct options *options, const char *value, char *error)
{
	if (!*value)
		return options_refuse(error, "-o takes the name of a file, not an empty word");
	options->output = value;
	return 0;
}

int option_apply_format(struct options *options, const char *value, char *error)
{
	options->format = renderer_find(value);
	return options->format ?
		       0 :
		       options_refuse(error, "--format takes text, json or folded, not '%s'", value);
}

int option_apply_folded(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->format = &renderer_folded;
	return 0;
}

int option_apply_wide(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->report.width = REPORT_WIDTH_ALL;
	return 0;
}
