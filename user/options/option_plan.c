// SPDX-License-Identifier: GPL-2.0-only
/* The options that choose library functions. */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/parse.h"
#include "options/option_table.h"

static int add_globs(struct options *options, struct globs *globs, const char *option, const char *value,
		     char *error)
{
	int err = globs_add(globs, value);

	options->chooses_functions = option;
	if (!err)
		return 0;
	return options_refuse(error, "--%s takes names or shell patterns separated by commas, not '%s'",
			      option, value);
}

int option_apply_lib(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	return add_globs(options, &options->plan.libraries, "lib", value, error);
}

int option_apply_func(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	return add_globs(options, &options->plan.functions, "func", value, error);
}

int option_apply_exclude(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	return add_globs(options, &options->plan.excluded, "exclude", value, error);
}

int option_apply_calls(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	bool exports = value && !strcmp(value, "exports");

	if (value && !exports && strcmp(value, "edges"))
		return options_refuse(error, "--calls takes edges or exports, not '%s'", value);
	options->chooses_functions = "calls";
	options->asks_calls = true;
	options->plan.calls = exports ? PLAN_EXPORTS : PLAN_EDGES;
	return 0;
}

#define OVERHEAD_MOST_PERCENT 1000

int option_apply_overhead(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	size_t length = strspn(value, "0123456789.");
	char number[32];
	uint64_t parts;

	options->overhead = 0;
	if (!strcmp(value, "none"))
		return 0;
	/* Decimals are those of a time: a thousand millionth is no less than anybody asks for. */
	snprintf(number, sizeof(number), "%.*s", (int)length, value);
	if (length >= sizeof(number) || strcmp(value + length, value[length] ? "%" : "") ||
	    parse_time(number, &parts) || parts > OVERHEAD_MOST_PERCENT * 1000000000ULL)
		return options_refuse(error,
				      "--overhead takes percents above 0 and up to %d, or none, not '%s'",
				      OVERHEAD_MOST_PERCENT, value);
	options->overhead = (double)parts / 1e11;
	return 0;
}
