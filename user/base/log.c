// SPDX-License-Identifier: GPL-2.0-only
/* Messages for the person at the terminal, on standard error. */
#include "base/log.h"

#include <stdio.h>

static bool log_is_verbose;

void log_set_verbose(bool verbose)
{
	log_is_verbose = verbose;
}

static void log_line(const char *format, va_list arguments)
{
	fputs("scaler-bpf: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
}

void log_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	log_line(format, arguments);
	va_end(arguments);
}

void log_note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	log_line(format, arguments);
	va_end(arguments);
}

void log_debug(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (log_is_verbose)
		log_line(format, arguments);
	va_end(arguments);
}

void log_debug_raw(const char *format, va_list arguments)
{
	if (log_is_verbose)
		vfprintf(stderr, format, arguments);
}
