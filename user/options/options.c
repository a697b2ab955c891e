// SPDX-License-Identifier: GPL-2.0-only
/* The command line as data: its options by the table, its words, and what must fit together. */
#include "options/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "options/option_table.h"

/* Of CPU samples: a prime, so that they do not keep step with what a program does. */
#define FREQUENCY_DEFAULT 199
#define OVERHEAD_DEFAULT  0.05

int options_refuse(char error[OPTIONS_ERROR_SIZE], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error, OPTIONS_ERROR_SIZE, format, arguments);
	va_end(arguments);
	return -EINVAL;
}

static const struct option_row *find_row(int code)
{
	for (size_t i = 0; i < option_row_count; i++) {
		if (code == (int)(256 + i) || (option_rows[i].letter && code == option_rows[i].letter))
			return &option_rows[i];
	}
	return NULL;
}

static int argument_kind(const struct option_row *row)
{
	if (!row->argument)
		return no_argument;
	return option_may_omit(row) ? optional_argument : required_argument;
}

/* Of an argument that may be omitted getopt takes only what is behind a '='. */
static const char *find_argument(const struct option_row *row, int argc, char **argv)
{
	if (optarg || !option_may_omit(row) || optind >= argc || !option_takes_word(row, argv[optind]))
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

static int apply(const struct option_row *row, struct options *options, const char *value, char *error)
{
	void *field = (char *)options + row->offset;

	options->given |= 1ULL << (row - option_rows);
	if (row->field == OPTION_FIELD_FLAG)
		*(bool *)field = true;
	if (row->field == OPTION_FIELD_TIME && parse_time(value, field))
		return options_refuse(error,
				      "--%s takes a time above 0, as 0.5 (seconds), 500ms or 20us, not '%s'",
				      row->name, value);
	return row->apply ? row->apply(options, value, error) : 0;
}

static int refuse_word(const char *word, const char *why, char *error)
{
	return options_refuse(error, "%s '%s'; see scaler-bpf --help", why, word);
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

		/* What is behind "--" is a command, though getopt takes "--" for an argument too. */
		if (code == ':' || (row && optarg == argv[optind - 1] && !strcmp(optarg, "--")))
			return options_refuse(error, "option '%s' needs an argument; see scaler-bpf --help",
					      argv[optind - (code == ':' ? 1 : 2)]);
		if (!row && optopt && optopt < 256)
			return options_refuse(error, "unknown option '-%c'; see scaler-bpf --help", optopt);
		if (!row)
			return refuse_word(argv[optind - 1], "unknown option", error);
		err = apply(row, options, find_argument(row, argc, argv), error);
		if (err)
			return err;
	}
	return 0;
}

/* Sets the subcommand if the word at optind is one, and goes on after it. */
static void find_subcommand(struct options *options, char **argv)
{
	for (enum subcommand i = 0; i < SUBCOMMAND_COUNT; i++) {
		if (strcmp(argv[optind], subcommand_rows[i].name))
			continue;
		options->subcommand = i;
		options->names_subcommand = true;
		optind++;
		return;
	}
}

/* What is given is what the subcommand has. Options of the default, which is not named, are those of all. */
static int check_given(const struct options *options, char *error)
{
	for (size_t i = 0; i < option_row_count; i++) {
		if (!options->names_subcommand || !(options->given >> i & 1) ||
		    option_rows[i].subcommands >> options->subcommand & 1)
			continue;
		return options_refuse(error, "%s has no --%s; see scaler-bpf %s --help",
				      subcommand_rows[options->subcommand].name, option_rows[i].name,
				      subcommand_rows[options->subcommand].name);
	}
	if (options->format == &renderer_folded && options->subcommand > SUBCOMMAND_REPORT)
		return options_refuse(error, "%s takes --format text or json",
				      subcommand_rows[options->subcommand].name);
	return 0;
}

/* What is left when all options have been taken. */
static int parse_words(struct options *options, int argc, char **argv, bool dashes, char *error)
{
	const struct subcommand_row *row = &subcommand_rows[options->subcommand];
	const char *word = optind < argc ? argv[optind] : NULL;

	if (!word)
		return dashes ? options_refuse(error, "no command after '--'") : 0;
	if (dashes && row->takes_command) {
		options->target.command = &argv[optind];
		return 0;
	}
	if (row->takes_command && options->names_subcommand)
		return options_refuse(error, "%s takes no word '%s'; to trace a command: scaler-bpf %s -- %s",
				      row->name, word, row->name, word);
	if (row->takes_command)
		return options_refuse(error, "unknown subcommand '%s'; to trace a command: scaler-bpf -- %s",
				      word, word);
	if (!row->apply_word)
		return options_refuse(error, "%s takes no argument, but there is '%s'", row->name, word);
	optind++;
	return row->apply_word(options, word, error)             ?:
		       parse_options(options, argc, argv, error) ?:
		       optind < argc ? options_refuse(error, "%s takes one argument, but there is '%s' too",
						      row->name, argv[optind]) :
				       0;
}

static bool is_dashes(char **argv)
{
	return optind > 1 && !strcmp(argv[optind - 1], "--");
}

/* [OPTION...] [SUBCOMMAND [OPTION...]] [WORD...] */
static int parse_line(struct options *options, int argc, char **argv, char *error)
{
	int err = parse_options(options, argc, argv, error);
	bool dashes = is_dashes(argv);

	if (err || options->help || options->version)
		return err;
	if (!dashes && optind < argc) {
		int first = optind;

		find_subcommand(options, argv);
		options->words = argv + optind;
		if (options->subcommand == SUBCOMMAND_COMPLETE)
			return 0;
		if (options->names_subcommand)
			err = parse_options(options, argc, argv, error);
		dashes = optind > first + 1 && is_dashes(argv);
	}
	if (err || options->help || options->version)
		return err;
	return parse_words(options, argc, argv, dashes, error) ?: check_given(options, error);
}

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
	if (options->no_syscalls && report->parts & REPORT_OF_CALLS)
		return options_refuse(
			error,
			"--report components, functions, syscalls and tree are about system calls, which "
			"--no-syscalls leaves out");
	options->needs_samples |= (options->named & REPORT_CPU) != 0;
	if (options->chooses_functions && options->format != &renderer_folded)
		report->parts |= REPORT_LIBRARY;
	options->records |= report->parts;
	options->probes = report->parts & REPORT_OF_PROBES;
	if (options->no_samples || !(options->records & REPORT_WITH_SAMPLES))
		options->frequency = 0;
	for (enum report_part_id part = 0; part < REPORT_PART_COUNT && report->sort; part++) {
		if (report->parts & 1U << part && sort_key_for(report, part))
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
	if (options->format == &renderer_folded && !(options->report.parts & REPORT_INTERVALS)) {
		options->needs_stacks = "--folded";
		options->report.parts = REPORT_TREE;
	}
	to_application = options->format != &renderer_folded && !(options->records & REPORT_TREE);
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
	if (options->keep.when.least_ns && !options->keep.ns && !options->keep.bytes)
		return options_refuse(error, "--save-when needs --keep, which says how much is saved");
	if (options->save && (options->interval_ns || options->report.stream))
		return options_refuse(error,
				      "--save excludes --interval, which scaler-bpf report has, and --live");
	if (options->delays && !options->delay_ns && !options->control)
		return options_refuse(error, "-D -1 waits for \"enable\", which --control would bring");
	return 0;
}

/* What a program is to read cannot stand between the lines that the command prints. */
static int check_output(const struct options *options, char *error)
{
	if (!options->target.command || options->output || options->format == &renderer_text || options->list)
		return 0;
	return options_refuse(error,
			      "--format %s beside a command needs -o FILE, or -o /dev/fd/3 for an open "
			      "descriptor: the command prints on standard output and error itself",
			      options->format->name);
}

/* What is written is what was recorded, and no report. */
static void choose_file(struct options *options)
{
	options->save = options->output ?: RECORDING_DEFAULT;
	options->output = NULL;
}

/* Of a recording file: what is asked for, whether that has it or not. */
static int choose_replay(struct options *options, char *error)
{
	options->recording = options->recording ?: RECORDING_DEFAULT;
	return options_choose_blocking(options, error) ?:
		       choose_depth(options, error)    ?:
							 check_report(options, error);
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
	err = parse_line(options, argc, argv, error);
	if (err || options->help || options->version)
		return err;
	if (options->subcommand == SUBCOMMAND_REPORT)
		return choose_replay(options, error);
	if (!subcommand_rows[options->subcommand].takes_command)
		return 0;
	if (options->subcommand == SUBCOMMAND_LIVE)
		option_apply_live(options, NULL, error);
	options->list |= options->subcommand == SUBCOMMAND_LIST;
	if (options->subcommand == SUBCOMMAND_RECORD)
		choose_file(options);
	err = choose_target(&options->target, error)          ?:
		      check_control(options, error)           ?:
		      options_choose_blocking(options, error) ?:
		      choose_depth(options, error)            ?:
		      check_report(options, error)            ?:
		      check_output(options, error)            ?:
		      (options->list ? check_list(options, error) : check_probes(options, error));
	/* It is for later. */
	if (options->subcommand == SUBCOMMAND_RECORD)
		options->report.parts = 0;
	return err;
}

void options_clear(struct options *options)
{
	free(options->target.ids);
	free(options->filter);
	free(options->symbols);
	free(options->path_task);
	globs_clear(&options->report.filter.tasks);
	globs_clear(&options->report.filter.functions);
	globs_clear(&options->keep.when.tasks);
	globs_clear(&options->keep.when.functions);
	plan_options_clear(&options->plan);
	*options = (struct options){ .announcement = { .ready_fd = -1 } };
}
