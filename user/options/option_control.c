// SPDX-License-Identifier: GPL-2.0-only
/* The options for those who run the tracer by script. */
#include <limits.h>
#include <string.h>

#include "base/parse.h"
#include "control/control_channel.h"
#include "options/option_table.h"

int option_apply_control(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	if (!control_channel_is_valid(value))
		return options_refuse(error,
				      "--control takes fifo:CTL[,ACK] with paths or fd:CTL[,ACK] with open "
				      "descriptors, not '%s'",
				      value);
	options->control = value;
	return 0;
}

int option_apply_delay(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	int64_t delay_ms;

	/* Without a unit as perf has it. */
	if (!parse_integer(value, -1, INT_MAX, &delay_ms))
		options->delay_ns = delay_ms > 0 ? (uint64_t)delay_ms * 1000000 : 0;
	else if (parse_time(value, &options->delay_ns) || !strpbrk(value, "s"))
		return options_refuse(
			error,
			"-D takes milliseconds, a time with a unit as 2s or 500ms, or -1 to wait for "
			"\"enable\", not '%s'",
			value);
	else
		delay_ms = 1;
	options->delays = delay_ms != 0;
	return 0;
}

int option_apply_ready_fd(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	int64_t fd;

	if (parse_integer(value, 0, INT_MAX, &fd))
		return options_refuse(
			error, "--ready-fd takes the number of an open file descriptor, not '%s'", value);
	options->announcement.ready_fd = (int)fd;
	return 0;
}

int option_apply_pidfile(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	if (!*value)
		return options_refuse(error, "--pidfile takes the name of a file, not an empty word");
	options->announcement.pidfile = value;
	return 0;
}
