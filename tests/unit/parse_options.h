/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses command lines that a test spells. */
#ifndef SCALER_TESTS_PARSE_OPTIONS_H
#define SCALER_TESTS_PARSE_OPTIONS_H

#include "options/options.h"

static inline int parse(struct options *options, char *error, char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	return options_parse(options, argc, argv, error);
}

/* Into the options and error of the caller; what points into the words lives as long as the statement. */
#define PARSE(...) parse(&options, error, (char *[]){ "scaler-bpf", __VA_ARGS__, NULL })

#endif
