// SPDX-License-Identifier: GPL-2.0-only
/* Parses the command line and runs the subcommand. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cmd/cmd.h"
#include "parser/parser.h"
#include "probe/features.h"

static int run(const struct options *options)
{
	static int (*const commands[SUBCOMMAND_COUNT])(const struct options *) = {
		[SUBCOMMAND_TRACE] = cmd_trace,       [SUBCOMMAND_LIVE] = cmd_trace,
		[SUBCOMMAND_RECORD] = cmd_trace,      [SUBCOMMAND_REPORT] = cmd_report,
		[SUBCOMMAND_LIST] = cmd_list,         [SUBCOMMAND_SYSCALLS] = cmd_syscalls,
		[SUBCOMMAND_COLUMNS] = cmd_columns,   [SUBCOMMAND_DOCTOR] = cmd_doctor,
		[SUBCOMMAND_COMPLETE] = cmd_complete,
	};

	if (options->help)
		return cmd_help(options);
	if (options->version)
		return puts("scaler-bpf " SCALER_VERSION) < 0;
	return options->list ? cmd_list(options) : commands[options->subcommand](options);
}

static void leave_out(unsigned int without)
{
	for (enum feature feature = 0; feature < FEATURE_COUNT; feature++) {
		if (without & 1U << feature)
			features_leave_out(feature);
	}
}

/* Of those that are closed: else a file of ours would have one of the numbers, and what is for a terminal, or a report, be
 * written into it. All reading and writing fails as it does while they are closed; a command gets them closed. */
static void occupy_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			open("/", O_PATH | O_CLOEXEC);
	}
}

static int flush_output(void)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	log_error("cannot write to the standard output%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
	return 1;
}

int main(int argc, char **argv)
{
	char error[OPTIONS_ERROR_SIZE];
	struct options options;
	int status = 2;

	if (argc == 1 && !strcmp(argv[0], PARSER_NAME))
		return parser_serve(PARSER_SOCKET);
	occupy_standard_descriptors();
	if (options_parse(&options, argc, argv, error)) {
		log_error("%s", error);
	} else {
		log_set_verbose(options.verbose);
		leave_out(options.without);
		status = run(&options);
	}
	options_clear(&options);
	log_finish();
	return status ?: flush_output();
}
