// SPDX-License-Identifier: GPL-2.0-only
/* The options that choose library functions. */
#include <errno.h>
#include <string.h>

#include "cmd/option_table.h"

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
	bool exports = !strcmp(value, "exports");

	if (!exports && strcmp(value, "edges"))
		return options_refuse(error, "--calls takes edges or exports, not '%s'", value);
	options->chooses_functions = "calls";
	options->plan.calls = exports ? PLAN_EXPORTS : PLAN_EDGES;
	return 0;
}

int option_apply_returns(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	bool safe = !strcmp(value, "safe");

	if (!safe && strcmp(value, "none"))
		return options_refuse(error, "--returns takes none or safe, not '%s'", value);
	options->probes_returns = safe;
	return 0;
}

int option_apply_list(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	(void)value;
	(void)error;
	options->list = true;
	return 0;
}
