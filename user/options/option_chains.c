// SPDX-License-Identifier: GPL-2.0-only
/* The options of the reports that are made from the wait-for graph. */
#include <stdlib.h>
#include <string.h>

#include "analysis/wait_chain.h"
#include "base/parse.h"
#include "options/option_table.h"

#define RANGE     ".."
#define TIME_SIZE 32

int option_apply_wait_chains(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	(void)value;
	(void)error;
	options->asks |= REPORT_CHAINS;
	return 0;
}

int option_apply_bottlenecks(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	(void)value;
	(void)error;
	options->asks |= REPORT_BOTTLENECKS;
	return 0;
}

int option_apply_chain_depth(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	int64_t depth;

	if (parse_integer(value, 1, CHAIN_DEPTH_LIMIT, &depth))
		return options_refuse(error, "--chain-depth takes a number of levels from 1 to %d, not '%s'",
				      CHAIN_DEPTH_LIMIT, value);
	options->report.chain_depth = (size_t)depth;
	return 0;
}

/* Of a range. That it is missing, or 0, leaves the value as it is. */
static int parse_side(const char *text, size_t length, uint64_t *value_ns)
{
	char word[TIME_SIZE] = "";

	if (!length)
		return 0;
	if (length >= sizeof(word))
		return -1;
	memcpy(word, text, length);
	return strcmp(word, "0") ? parse_time(word, value_ns) : 0;
}

/* "FROM..TO": times since the recording began. */
static int parse_range(const char *text, struct path_options *path)
{
	const char *range = strstr(text, RANGE);

	if (!range || parse_side(text, (size_t)(range - text), &path->since_ns) ||
	    parse_side(range + strlen(RANGE), strlen(range + strlen(RANGE)), &path->until_ns))
		return -1;
	return path->until_ns && path->since_ns >= path->until_ns ? -1 : 0;
}

/* "TASK", "FROM..TO" or "TASK@FROM..TO". Without any of them it is the target's path. */
int option_apply_critical_path(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	const char *text = value ?: "", *at = strrchr(text, '@'), *range = at ? at + 1 : text;
	struct path_options path = { 0 };
	size_t length = strlen(text);

	if (strstr(range, RANGE)) {
		if (parse_range(range, &path))
			return options_refuse(error,
					      "--critical-path takes TASK, FROM..TO or TASK@FROM..TO, in "
					      "seconds of the recording, as 0.5..2 or 10ms..20ms, not '%s'",
					      text);
		length = at ? (size_t)(at - text) : 0;
	}
	options->asks |= REPORT_PATH;
	free(options->path_task);
	options->path_task = length ? strndup(text, length) : NULL;
	path.task = options->path_task;
	options->report.path = path;
	return length && !path.task ? options_refuse(error, "out of memory") : 0;
}

static pid_t first_of(const struct target_options *target)
{
	return target->id_count ? target->ids[0] : 0;
}

int options_check_chains(struct options *options, char error[OPTIONS_ERROR_SIZE])
{
	struct path_options *path = &options->report.path;

	path->target = first_of(&options->target);
	if (options->report.counts_idle && !(options->report.parts & (REPORT_CHAINS | REPORT_BOTTLENECKS)))
		return options_refuse(
			error, "--count-idle is about wait chains: give --wait-chains or --bottlenecks too");
	if (options->report.chain_depth && !(options->report.parts & REPORT_CHAINS))
		return options_refuse(error, "--chain-depth is about wait chains: give --wait-chains too");
	if (options->report.history_ns && !(options->report.parts & REPORT_GRAPH))
		return options_refuse(error, "--history is about wait chains: give --wait-chains, "
					     "--bottlenecks or --critical-path too");
	if (!(options->report.parts & REPORT_PATH) || path->task || path->target || options->target.command ||
	    options->subcommand == SUBCOMMAND_REPORT)
		return 0;
	return options_refuse(error, "a critical path is that of a thread or process: trace one by -p, -t or "
				     "a command, or name one by --critical-path TASK");
}
