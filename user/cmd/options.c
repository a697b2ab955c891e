// SPDX-License-Identifier: GPL-2.0-only
/* The command line as data, driven by one table that parsing and --help share. */
#include "cmd/options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parse.h"

/* More often, reading the maps would be what is measured. */
#define INTERVAL_LEAST_NS 100000000

static int __attribute__((format(printf, 2, 3)))
refuse(char error[OPTIONS_ERROR_SIZE], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error, OPTIONS_ERROR_SIZE, format, arguments);
	va_end(arguments);
	return -EINVAL;
}

static int add_id(struct target_options *target, pid_t id)
{
	for (size_t i = 0; i < target->id_count; i++) {
		if (target->ids[i] == id)
			return 0;
	}
	if (target->id_count == OPTIONS_ID_LIMIT)
		return -E2BIG;
	target->ids = target->ids ?: calloc(OPTIONS_ID_LIMIT, sizeof(*target->ids));
	if (!target->ids)
		return -ENOMEM;
	target->ids[target->id_count++] = id;
	return 0;
}

static int add_ids(struct options *options, enum scaler_target_kind kind, char letter,
		   const char *value, char *error)
{
	struct target_options *target = &options->target;
	char word[16];

	if (target->id_count && target->kind != kind)
		return refuse(error, "-p and -t exclude each other");
	target->kind = kind;
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		int64_t id;

		snprintf(word, sizeof(word), "%.*s", (int)length, at);
		if (length >= sizeof(word) || parse_integer(word, 1, INT_MAX, &id))
			return refuse(error, "-%c takes %s IDs separated by commas, not '%s'", letter,
				      letter == 'p' ? "process" : "thread", value);
		if (add_id(target, (pid_t)id))
			return refuse(error, "-%c takes at most %d IDs", letter, OPTIONS_ID_LIMIT);
		at += length;
		if (!*at)
			return 0;
	}
}

static int apply_pid(struct options *options, const char *value, char *error)
{
	return add_ids(options, SCALER_TARGET_PROCESSES, 'p', value, error);
}

static int apply_tid(struct options *options, const char *value, char *error)
{
	return add_ids(options, SCALER_TARGET_THREADS, 't', value, error);
}

static int apply_comm(struct options *options, const char *value, char *error)
{
	if (!*value)
		return refuse(error, "--comm takes the name of a process, not an empty word");
	if (strlen(value) >= SCALER_TARGET_COMM_SIZE)
		return refuse(error, "--comm takes at most %d bytes, as the kernel keeps names; try '%.*s'",
			      SCALER_TARGET_COMM_SIZE - 1, SCALER_TARGET_COMM_SIZE - 1, value);
	options->target.comm = value;
	return 0;
}

static int apply_cgroup(struct options *options, const char *value, char *error)
{
	if (!*value)
		return refuse(error, "--cgroup takes the path of a cgroup, not an empty word");
	options->target.cgroup = value;
	return 0;
}

static int apply_no_follow(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->target.no_follow = true;
	return 0;
}

static int apply_syscalls(struct options *options, const char *value, char *error)
{
	const char *culprit;
	size_t length;

	free(options->filter);
	options->filter = calloc(1, sizeof(*options->filter));
	if (!options->filter)
		return refuse(error, "no memory");
	if (syscall_filter_parse(options->filter, value, &culprit, &length))
		return refuse(error, "--syscalls: '%.*s' is no system call and no %%class; "
			      "scaler-bpf syscalls lists them",
			      (int)length, culprit);
	options->report.syscalls = value;
	return 0;
}

static int apply_no_syscalls(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->no_syscalls = true;
	return 0;
}

static int apply_map_size(struct options *options, const char *value, char *error)
{
	static const char *const names[RECORDER_MAP_COUNT] = {
		[RECORDER_MAP_THREADS] = "threads=", [RECORDER_MAP_CALLS] = "calls=",
		[RECORDER_MAP_ERRORS] = "errors=", [RECORDER_MAP_COMPONENTS] = "components=",
	};

	for (int map = 0; map < RECORDER_MAP_COUNT; map++) {
		int64_t limit = map == RECORDER_MAP_COMPONENTS ? SCALER_COMPONENT_LIMIT - 1 : 1 << 26;
		size_t length = strlen(names[map]);
		int64_t rows;

		if (strncmp(value, names[map], length))
			continue;
		if (parse_integer(value + length, 1, limit, &rows))
			return refuse(error, "--map-size %s takes 1 to %" PRId64 " rows, not '%s'",
				      names[map], limit, value + length);
		options->map_rows[map] = (uint32_t)rows;
		return 0;
	}
	return refuse(error, "--map-size takes threads=N, calls=N, errors=N or components=N, not '%s'",
		      value);
}

static int apply_report(struct options *options, const char *value, char *error)
{
	options->report.parts = 0;
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		enum report_part part = report_part_find(at, length);

		if (!part)
			return refuse(error, "--report takes a list of: %s; not '%s'", REPORT_PART_NAMES,
				      value);
		options->report.parts |= part;
		at += length;
		if (!*at)
			return 0;
	}
}

static int apply_sort(struct options *options, const char *value, char *error)
{
	options->report.sort = sort_key_find(value);
	if (!options->report.sort)
		return refuse(error, "--sort takes one of: %s; not '%s'", SORT_KEY_NAMES, value);
	return 0;
}

static int apply_top(struct options *options, const char *value, char *error)
{
	int64_t top;

	if (parse_integer(value, 1, INT_MAX, &top))
		return refuse(error, "--top takes a number of rows from 1 on, not '%s'", value);
	options->report.top = (size_t)top;
	return 0;
}

static int apply_duration(struct options *options, const char *value, char *error)
{
	if (parse_seconds(value, &options->duration_ns))
		return refuse(error, "--duration takes seconds above 0, such as 10 or 0.5, not '%s'",
			      value);
	return 0;
}

static int apply_interval(struct options *options, const char *value, char *error)
{
	if (parse_seconds(value, &options->interval_ns) || options->interval_ns < INTERVAL_LEAST_NS)
		return refuse(error, "--interval takes seconds from 0.1 on, not '%s'", value);
	options->report.repeats = true;
	return 0;
}

static int apply_output(struct options *options, const char *value, char *error)
{
	if (!*value)
		return refuse(error, "-o takes the name of a file, not an empty word");
	options->output = value;
	return 0;
}

static int apply_format(struct options *options, const char *value, char *error)
{
	options->format = renderer_find(value);
	return options->format ? 0 : refuse(error, "--format takes text or json, not '%s'", value);
}

static int apply_ready_fd(struct options *options, const char *value, char *error)
{
	int64_t fd;

	if (parse_integer(value, 0, INT_MAX, &fd))
		return refuse(error, "--ready-fd takes the number of an open file descriptor, not '%s'",
			      value);
	options->ready_fd = (int)fd;
	return 0;
}

static int apply_verbose(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->verbose = true;
	return 0;
}

static int apply_help(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->subcommand = SUBCOMMAND_HELP;
	return 0;
}

static int apply_version(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->subcommand = SUBCOMMAND_VERSION;
	return 0;
}

struct option_row {
	const char *name;
	char letter;	      /* 0: none */
	const char *argument; /* as --help names it; NULL: none */
	const char *help;
	int (*apply)(struct options *options, const char *value, char *error);
};

static const struct option_row rows[] = {
	{ "pid", 'p', "PID[,PID...]", "trace these processes", apply_pid },
	{ "tid", 't', "TID[,TID...]", "trace these threads", apply_tid },
	{ "cgroup", 0, "PATH", "trace the processes in this cgroup (v2) and those below it", apply_cgroup },
	{ "comm", 0, "NAME", "of these, only processes with this name", apply_comm },
	{ "no-follow", 0, NULL, "do not trace new threads, children and newcomers", apply_no_follow },
	{ "duration", 0, "S", "end after S seconds", apply_duration },
	{ "interval", 0, "S", "report every S seconds what has happened since the last report", apply_interval },
	{ "syscalls", 0, "[!]LIST", "record only (!: all but) these system calls and %classes", apply_syscalls },
	{ "no-syscalls", 0, NULL, "record no system calls, only the threads' states", apply_no_syscalls },
	{ "report", 0, "LIST", "print these: " REPORT_PART_NAMES, apply_report },
	{ "sort", 0, "KEY", "sort rows by their total, running, runnable, blocked, calls, ...", apply_sort },
	{ "top", 0, "N", "rows that a table of text shows (default 40)", apply_top },
	{ "output", 'o', "FILE", "write the report to FILE", apply_output },
	{ "format", 0, "text|json", "the report's format (default text)", apply_format },
	{ "map-size", 0, "MAP=ROWS", "size of a map: threads, calls, errors, components", apply_map_size },
	{ "ready-fd", 0, "N", "write a byte to descriptor N once recording has begun", apply_ready_fd },
	{ "verbose", 'v', NULL, "print libbpf's and the verifier's messages", apply_verbose },
	{ "help", 'h', NULL, "print this help", apply_help },
	{ "version", 'V', NULL, "print the version", apply_version },
};

#define ROW_COUNT ARRAY_SIZE(rows)

static const struct option_row *find_row(int code)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (code == (int)(256 + i) || (rows[i].letter && code == rows[i].letter))
			return &rows[i];
	}
	return NULL;
}

/* getopt's tables out of ours; each long option's code is 256 + its row. */
static void make_getopt_tables(struct option *longs, char *shorts)
{
	char *at = shorts;

	*at++ = '+'; /* stop at the first word that is no option: a subcommand or COMMAND */
	*at++ = ':'; /* tell a missing argument from an unknown option */
	for (size_t i = 0; i < ROW_COUNT; i++) {
		longs[i] = (struct option){ rows[i].name,
					    rows[i].argument ? required_argument : no_argument,
					    NULL, (int)(256 + i) };
		if (!rows[i].letter)
			continue;
		*at++ = rows[i].letter;
		if (rows[i].argument)
			*at++ = ':';
	}
	*at = '\0';
	longs[ROW_COUNT] = (struct option){ 0 };
}

/* Applies the options from optind on, up to the first word that is none. */
static int parse_options(struct options *options, int argc, char **argv, char *error)
{
	struct option longs[ROW_COUNT + 1];
	char shorts[3 * ROW_COUNT + 3];
	int code, err;

	make_getopt_tables(longs, shorts);
	opterr = 0;
	while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct option_row *row = find_row(code);

		if (code == ':')
			return refuse(error, "option '%s' needs an argument; see scaler-bpf --help",
				      argv[optind - 1]);
		if (!row && optopt && optopt < 256)
			return refuse(error, "unknown option '-%c'; see scaler-bpf --help", optopt);
		if (!row)
			return refuse(error, "unknown option '%s'; see scaler-bpf --help",
				      argv[optind - 1]);
		err = row->apply(options, optarg, error);
		if (err)
			return err;
	}
	return 0;
}

static int parse_syscalls_words(struct options *options, int argc, char **argv, char *error)
{
	options->subcommand = SUBCOMMAND_SYSCALLS;
	if (optind + 2 < argc)
		return refuse(error, "syscalls takes one list, but there is '%s' too", argv[optind + 2]);
	return optind + 1 < argc ? apply_syscalls(options, argv[optind + 1], error) : 0;
}

static int parse_words(struct options *options, int argc, char **argv, char *error)
{
	bool dashes = optind > 1 && !strcmp(argv[optind - 1], "--");

	if (optind == argc)
		return dashes ? refuse(error, "no command after '--'") : 0;
	if (dashes) {
		options->target.command = &argv[optind];
		return 0;
	}
	if (!strcmp(argv[optind], "syscalls"))
		return parse_syscalls_words(options, argc, argv, error);
	if (strcmp(argv[optind], "doctor"))
		return refuse(error, "unknown subcommand '%s'; to trace a command: scaler-bpf -- %s",
			      argv[optind], argv[optind]);
	if (optind + 1 < argc)
		return refuse(error, "doctor takes no argument, but there is '%s'",
			      argv[optind + 1]);
	options->subcommand = SUBCOMMAND_DOCTOR;
	return 0;
}

/* What is to be printed must have been recorded, and be printed if it is sorted. */
static int check_report(struct options *options, char *error)
{
	struct report_options *report = &options->report;

	if (options->no_syscalls && options->filter)
		return refuse(error, "--syscalls and --no-syscalls exclude each other");
	if (options->no_syscalls && !report->parts)
		report->parts = REPORT_THREADS;
	if (options->no_syscalls && report->parts != REPORT_THREADS)
		return refuse(error, "with --no-syscalls there is only --report threads");
	report->parts = report->parts ?: REPORT_ALL;
	for (unsigned int part = 1; part <= REPORT_ALL && report->sort; part <<= 1) {
		if (report->parts & part && sort_key_for(report, part))
			return 0;
	}
	if (report->sort)
		return refuse(error, "no report that is to be printed has what --sort names");
	return 0;
}

static int choose_target(struct target_options *target, char *error)
{
	const char *ids = target->kind == SCALER_TARGET_THREADS ? "-t" : "-p";

	if (target->command && target->id_count)
		return refuse(error, "%s and -- COMMAND exclude each other", ids);
	if (target->command && target->cgroup)
		return refuse(error, "--cgroup and -- COMMAND exclude each other");
	if (target->cgroup && target->id_count)
		return refuse(error, "%s and --cgroup exclude each other", ids);
	if (target->command)
		target->kind = SCALER_TARGET_PROCESSES;
	else if (target->cgroup)
		target->kind = SCALER_TARGET_CGROUP;
	return 0;
}

int options_parse(struct options *options, int argc, char **argv, char error[OPTIONS_ERROR_SIZE])
{
	int err;

	*options = (struct options){
		.format = &renderer_text,
		.ready_fd = -1,
		.report = { .top = REPORT_TOP_DEFAULT },
	};
	optind = 0; /* GNU getopt: start afresh */
	err = parse_options(options, argc, argv, error);
	if (err || options->subcommand != SUBCOMMAND_TRACE)
		return err;
	err = parse_words(options, argc, argv, error);
	if (err || options->subcommand != SUBCOMMAND_TRACE)
		return err;
	return choose_target(&options->target, error) ?: check_report(options, error);
}

void options_clear(struct options *options)
{
	free(options->target.ids);
	free(options->filter);
	*options = (struct options){ .ready_fd = -1 };
}

void options_print_help(FILE *out)
{
	fputs("Usage: scaler-bpf [OPTION...] [-p PID | -t TID | --cgroup PATH]\n"
	      "       scaler-bpf [OPTION...] -- COMMAND [ARGUMENT...]\n"
	      "       scaler-bpf doctor\n"
	      "       scaler-bpf syscalls [LIST]\n\n"
	      "Tells where the time of threads goes: running, waiting for a CPU, or blocked, and in which\n"
	      "system call, issued by whom. Without a target it traces the whole system. New threads and\n"
	      "children of a target are traced too. doctor says whether this kernel and user can trace;\n"
	      "syscalls lists system calls, their categories and classes.\n\n",
	      out);
	for (size_t i = 0; i < ROW_COUNT; i++) {
		char left[40];

		snprintf(left, sizeof(left), "%c%c%s --%s%s%s", rows[i].letter ? '-' : ' ',
			 rows[i].letter ?: ' ', rows[i].letter ? "," : " ", rows[i].name,
			 rows[i].argument ? " " : "", rows[i].argument ?: "");
		fprintf(out, "  %-26s %s\n", left, rows[i].help);
	}
	fputs("\nThe recording ends with the target, after --duration, or by Ctrl-C or SIGTERM; each\n"
	      "prints the report. A command gets the first of these signals, a second one ends the\n"
	      "recording while it goes on. Exit status: 0, the command's own, 1 for a failure, 2 for\n"
	      "wrong usage, 126 and 127 for a command that cannot be run or found.\n",
	      out);
}
