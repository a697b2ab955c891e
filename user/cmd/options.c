// SPDX-License-Identifier: GPL-2.0-only
/* The command line as data: its options by the table, its words, and what must fit together. */
#include "cmd/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/option_table.h"

/* Of CPU samples: a prime, so that they do not keep step with what a program does. */
#define FREQUENCY_DEFAULT 199
#define OVERHEAD_DEFAULT  0.05

static const struct option_row *find_row(int code)
{
	for (size_t i = 0; i < option_row_count; i++) {
		if (code == (int)(256 + i) || (option_rows[i].letter && code == option_rows[i].letter))
			return &option_rows[i];
	}
	return NULL;
}

/* "[=one|other]". */
static bool may_omit_argument(const struct option_row *row)
{
	return row->argument && !strncmp(row->argument, "[=", 2);
}

static int argument_kind(const struct option_row *row)
{
	if (!row->argument)
		return no_argument;
	return may_omit_argument(row) ? optional_argument : required_argument;
}

/* Whether the word is one that an argument which may be omitted can be. */
static bool is_argument_of(const struct option_row *row, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = row->argument + 1; *at; at += strcspn(at, "|]")) {
		at++;
		if (length && length == strcspn(at, "|]") && !strncmp(at, word, length))
			return true;
	}
	return false;
}

/* Of an argument that may be omitted getopt takes only what is behind a '='. */
static const char *find_argument(const struct option_row *row, int argc, char **argv)
{
	if (optarg || !may_omit_argument(row) || optind >= argc || !is_argument_of(row, argv[optind]))
		return optarg;
	return argv[optind++];
}

/* getopt's tables out of ours; each long option's code is 256 + its row. */
static void make_getopt_tables(struct option *longs, char *shorts)
{
	char *at = shorts;

	*at++ = '+'; /* stop at the first word that is no option: a subcommand or COMMAND */
	*at++ = ':'; /* tell a missing argument from an unknown option */
	for (size_t i = 0; i < option_row_count; i++) {
		longs[i] = (struct option){ option_rows[i].name, argument_kind(&option_rows[i]), NULL,
					    (int)(256 + i) };
		if (!option_rows[i].letter)
			continue;
		*at++ = option_rows[i].letter;
		if (option_rows[i].argument)
			*at++ = ':';
	}
	*at = '\0';
	longs[option_row_count] = (struct option){ 0 };
}

/* Applies the options from optind on, up to the first word that is none. */
static int parse_options(struct options *options, int argc, char **argv, char *error)
{
	struct option longs[OPTION_ROWS_MAX + 1];
	char shorts[3 * OPTION_ROWS_MAX + 3];
	int code, err;

	make_getopt_tables(longs, shorts);
	opterr = 0;
	while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct option_row *row = find_row(code);

		if (code == ':')
			return options_refuse(error, "option '%s' needs an argument; see scaler-bpf --help",
					      argv[optind - 1]);
		if (!row && optopt && optopt < 256)
			return options_refuse(error, "unknown option '-%c'; see scaler-bpf --help", optopt);
		if (!row)
			return options_refuse(error, "unknown option '%s'; see scaler-bpf --help",
					      argv[optind - 1]);
		err = row->apply(options, find_argument(row, argc, argv), error);
		if (err)
			return err;
		if (!row->general)
			options->tracing_option = row->name;
	}
	return 0;
}

/* The options after a subcommand, and none that is for tracing. */
static int parse_subcommand(struct options *options, int argc, char **argv, char *error)
{
	const char *name = argv[optind++];
	int err = parse_options(options, argc, argv, error);

	if (!err && options->tracing_option && options->subcommand == SUBCOMMAND_TRACE)
		return options_refuse(error, "--%s is for tracing, not for %s", options->tracing_option,
				      name);
	return err;
}

static int parse_doctor(struct options *options, int argc, char **argv, char *error)
{
	int err = parse_subcommand(options, argc, argv, error);

	if (err || options->subcommand != SUBCOMMAND_TRACE)
		return err;
	options->subcommand = SUBCOMMAND_DOCTOR;
	return optind < argc ?
		       options_refuse(error, "doctor takes no argument, but there is '%s'", argv[optind]) :
		       0;
}

static int parse_syscalls(struct options *options, int argc, char **argv, char *error)
{
	int err = parse_subcommand(options, argc, argv, error);

	if (err || options->subcommand != SUBCOMMAND_TRACE)
		return err;
	options->subcommand = SUBCOMMAND_SYSCALLS;
	if (optind + 1 < argc)
		return options_refuse(error, "syscalls takes one list, but there is '%s' too",
				      argv[optind + 1]);
	return optind < argc ? option_apply_syscalls(options, argv[optind], error) : 0;
}

static int parse_words(struct options *options, int argc, char **argv, char *error)
{
	bool dashes = optind > 1 && !strcmp(argv[optind - 1], "--");

	if (optind == argc)
		return dashes ? options_refuse(error, "no command after '--'") : 0;
	if (dashes) {
		options->target.command = &argv[optind];
		return 0;
	}
	if (!strcmp(argv[optind], "syscalls"))
		return parse_syscalls(options, argc, argv, error);
	if (!strcmp(argv[optind], "doctor"))
		return parse_doctor(options, argc, argv, error);
	return options_refuse(error, "unknown subcommand '%s'; to trace a command: scaler-bpf -- %s",
			      argv[optind], argv[optind]);
}

#define WITH_CALLS  (REPORT_COMPONENTS | REPORT_FUNCTIONS | REPORT_CALLS | REPORT_TREE)
#define WITH_PROBES (REPORT_LIBRARY | REPORT_FLOW)

/* Reports that have something of samples. */
#define SAMPLED                                                                                              \
	(REPORT_CPU | REPORT_COMPONENTS | REPORT_FUNCTIONS | REPORT_TREE | REPORT_SUMMARY | REPORT_GRAPH)

static bool is_everything(const struct target_options *target)
{
	return !target->id_count && !target->command && !target->cgroup && !target->comm;
}

/* What is to be printed must have been recorded, and be printed if it is sorted. */
static int check_report(struct options *options, char *error)
{
	struct report_options *report = &options->report;

	if (options->no_syscalls && options->filter)
		return options_refuse(error, "--syscalls and --no-syscalls exclude each other");
	if (options->no_samples && options->named & REPORT_CPU)
		return options_refuse(error, "--report cpu is about samples, which --no-samples leaves out");
	if (options->no_samples && options->needs_samples)
		return options_refuse(error, "--frequency and --no-samples exclude each other");
	if (options->no_syscalls && report->parts & WITH_CALLS)
		return options_refuse(
			error,
			"--report components, functions, syscalls and tree are about system calls, which "
			"--no-syscalls leaves out");
	options->needs_samples |= (options->named & REPORT_CPU) != 0;
	if (options->chooses_functions && options->format != &renderer_folded)
		report->parts |= REPORT_LIBRARY;
	options->probes = report->parts & WITH_PROBES;
	report->names_calls_option = !options->probes && !is_everything(&options->target) &&
				     report->parts & (REPORT_COMPONENTS | REPORT_FUNCTIONS | REPORT_SUMMARY);
	if (options->no_samples || !(report->parts & SAMPLED))
		options->frequency = 0;
	for (unsigned int part = 1; part <= REPORT_ALL && report->sort; part <<= 1) {
		if (report->parts & part && sort_key_for(report, part))
			return 0;
	}
	if (report->sort)
		return options_refuse(error, "no report that is to be printed has what --sort names");
	return 0;
}

/* How far stacks are walked, if nothing says so: no further than the reports that are asked for need it. */
static int choose_depth(struct options *options, char *error)
{
	bool to_application;

	if (options->named & REPORT_FUNCTIONS)
		options->needs_stacks = "--report functions";
	if (options->named & REPORT_TREE)
		options->needs_stacks = "--report tree";
	if (options->format == &renderer_folded && !options->records_blocking) {
		options->needs_stacks = "--folded";
		options->report.parts = REPORT_TREE;
	}
	to_application = options->format != &renderer_folded && !(options->report.parts & REPORT_TREE);
	if (options->needs_stacks && options->no_syscalls)
		return options_refuse(error, "%s is about system calls, which --no-syscalls leaves out",
				      options->needs_stacks);
	if (options->depth_is_given && options->no_syscalls && !options->records_blocking)
		return options_refuse(error, "--depth is about system calls, which --no-syscalls leaves out");
	if (!options->depth_is_given && (!options->no_syscalls || options->records_blocking))
		options->depth = (struct scaler_stack_depth){ SCALER_STACK_FRAMES, to_application };
	if (options->needs_stacks && !options->depth.frames)
		return options_refuse(error, "%s needs stacks, which --depth 0 leaves out",
				      options->needs_stacks);
	if (options->depth_is_given && options->depth.frames)
		options->needs_stacks = "--depth";
	return 0;
}

static int choose_target(struct target_options *target, char *error)
{
	const char *ids = target->kind == SCALER_TARGET_THREADS ? "-t" : "-p";

	if (target->command && target->id_count)
		return options_refuse(error, "%s and -- COMMAND exclude each other", ids);
	if (target->command && target->cgroup)
		return options_refuse(error, "--cgroup and -- COMMAND exclude each other");
	if (target->cgroup && target->id_count)
		return options_refuse(error, "%s and --cgroup exclude each other", ids);
	if (target->command)
		target->kind = SCALER_TARGET_PROCESSES;
	else if (target->cgroup)
		target->kind = SCALER_TARGET_CGROUP;
	return 0;
}

static int check_list(const struct options *options, char *error)
{
	if (is_everything(&options->target) && !options->plan.libraries.count)
		return options_refuse(error,
				      "--list of the whole system needs --lib to name a library; or give -p");
	if (options->format == &renderer_folded)
		return options_refuse(error, "--list takes --format text or json");
	return 0;
}

/* System-wide, library functions are those of every process. */
static int check_probes(const struct options *options, char *error)
{
	bool needs_library = is_everything(&options->target) && !options->plan.libraries.count;

	if (options->no_probes && options->chooses_functions)
		return options_refuse(error, "--%s and --no-probes exclude each other",
				      options->chooses_functions);
	if (options->no_probes && options->counts_only)
		return options_refuse(error, "--count-only and --no-probes exclude each other");
	if (options->no_probes && options->probes)
		return options_refuse(
			error, "--report library and flow are about library calls, which --no-probes leaves "
			       "out");
	if (options->chooses_functions && needs_library)
		return options_refuse(error,
				      "--%s in the whole system needs --lib to name a library; or give -p",
				      options->chooses_functions);
	if (options->probes && needs_library)
		return options_refuse(error, "--report library and flow of the whole system need --lib to "
					     "name a library; or give -p");
	if (options->chooses_functions && options->format == &renderer_folded)
		return options_refuse(error, "--folded shows no library calls, which --%s asks for",
				      options->chooses_functions);
	if (options->counts_only && !options->probes && !options->list)
		return options_refuse(error,
				      "--count-only is about library calls, of which no report is to be "
				      "printed: give --calls");
	return 0;
}

static int check_control(struct options *options, char *error)
{
	options->report.has_others = options->control != NULL;
	if (options->delays && !options->delay_ns && !options->control)
		return options_refuse(error, "-D -1 waits for \"enable\", which --control would bring");
	return 0;
}

int options_parse(struct options *options, int argc, char **argv, char error[OPTIONS_ERROR_SIZE])
{
	int err;

	*options = (struct options){
		.format = &renderer_text,
		.announcement = { .ready_fd = -1 },
		.frequency = FREQUENCY_DEFAULT,
		.target.follow = SCALER_FOLLOW_CHILDREN,
		.overhead = OVERHEAD_DEFAULT,
		.report = { .top = REPORT_TOP_DEFAULT },
	};
	optind = 0; /* GNU getopt: start afresh */
	err = parse_options(options, argc, argv, error);
	if (err || options->subcommand != SUBCOMMAND_TRACE)
		return err;
	err = parse_words(options, argc, argv, error);
	if (err || options->subcommand != SUBCOMMAND_TRACE)
		return err;
	return choose_target(&options->target, error)          ?:
		       check_control(options, error)           ?:
		       options_choose_blocking(options, error) ?:
		       choose_depth(options, error)            ?:
		       check_report(options, error)            ?:
		       (options->list ? check_list(options, error) : check_probes(options, error));
}

void options_clear(struct options *options)
{
	free(options->target.ids);
	free(options->filter);
	free(options->symbols);
	free(options->path_task);
	globs_clear(&options->report.filter.tasks);
	globs_clear(&options->report.filter.functions);
	plan_options_clear(&options->plan);
	*options = (struct options){ .announcement = { .ready_fd = -1 } };
}

void options_print_help(FILE *out)
{
	fputs("Usage: scaler-bpf [OPTION...] [-p PID | -t TID | --cgroup PATH]\n"
	      "       scaler-bpf [OPTION...] -- COMMAND [ARGUMENT...]\n"
	      "       scaler-bpf doctor [--format json]\n"
	      "       scaler-bpf syscalls [LIST]\n\n"
	      "Tells where the time of threads goes: running, waiting for a CPU, or blocked, and in which\n"
	      "system call, issued by whom. Without a target it traces the whole system. New threads and\n"
	      "children of a target are traced too. doctor says whether this kernel and user can trace;\n"
	      "syscalls lists system calls, their categories and classes.\n\n",
	      out);
	for (size_t i = 0; i < option_row_count; i++) {
		char left[40];

		snprintf(left, sizeof(left), "%c%c%s --%s%s%s", option_rows[i].letter ? '-' : ' ',
			 option_rows[i].letter ?: ' ', option_rows[i].letter ? "," : " ", option_rows[i].name,
			 option_rows[i].argument && !may_omit_argument(&option_rows[i]) ? " " : "",
			 option_rows[i].argument ?: "");
		fprintf(out, "  %-26s %s\n", left, option_rows[i].help);
	}
	fputs("\nThe recording ends with the target, after --duration, or by Ctrl-C or SIGTERM; each\n"
	      "prints the report. A command gets the first of these signals, a second one ends the\n"
	      "recording while it goes on. Exit status: 0, the command's own, 1 for a failure, 2 for\n"
	      "wrong usage, 126 and 127 for a command that cannot be run or found.\n",
	      out);
}
