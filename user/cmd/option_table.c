// SPDX-License-Identifier: GPL-2.0-only
/* The options one by one: what each takes, what it does, how --help describes it. */
#include "cmd/option_table.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/parse.h"
#include "probe/feature_names.h"

/* More often, reading the maps would be what is measured. */
#define INTERVAL_LEAST_NS 100000000

/* Of CPU samples: more would cost the programs more than they tell. */
#define FREQUENCY_LIMIT 4000

int options_refuse(char error[OPTIONS_ERROR_SIZE], const char *format, ...)
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

static int add_ids(struct options *options, enum scaler_target_kind kind, char letter, const char *value,
		   char *error)
{
	struct target_options *target = &options->target;
	char word[16];

	if (target->id_count && target->kind != kind)
		return options_refuse(error, "-p and -t exclude each other");
	target->kind = kind;
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		int64_t id;

		snprintf(word, sizeof(word), "%.*s", (int)length, at);
		if (length >= sizeof(word) || parse_integer(word, 1, INT_MAX, &id))
			return options_refuse(error, "-%c takes %s IDs separated by commas, not '%s'", letter,
					      letter == 'p' ? "process" : "thread", value);
		if (add_id(target, (pid_t)id))
			return options_refuse(error, "-%c takes at most %d IDs", letter, OPTIONS_ID_LIMIT);
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
		return options_refuse(error, "--comm takes the name of a process, not an empty word");
	if (strlen(value) >= SCALER_TARGET_COMM_SIZE)
		return options_refuse(error,
				      "--comm takes at most %d bytes, as the kernel keeps names; try '%.*s'",
				      SCALER_TARGET_COMM_SIZE - 1, SCALER_TARGET_COMM_SIZE - 1, value);
	options->target.comm = value;
	return 0;
}

static int apply_cgroup(struct options *options, const char *value, char *error)
{
	if (!*value)
		return options_refuse(error, "--cgroup takes the path of a cgroup, not an empty word");
	options->target.cgroup = value;
	return 0;
}

static int apply_follow(struct options *options, const char *value, char *error)
{
	static const char *const names[] = {
		[SCALER_FOLLOW_NONE] = "none",
		[SCALER_FOLLOW_THREADS] = "threads",
		[SCALER_FOLLOW_CHILDREN] = "children",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]))
			continue;
		options->target.follow = (enum scaler_follow)i;
		return 0;
	}
	return options_refuse(error, "--follow takes none, threads or children, not '%s'", value);
}

int option_apply_syscalls(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	const char *culprit;
	size_t length;

	free(options->filter);
	options->filter = calloc(1, sizeof(*options->filter));
	if (!options->filter)
		return options_refuse(error, "no memory");
	if (syscall_filter_parse(options->filter, value, &culprit, &length))
		return options_refuse(error,
				      "--syscalls: '%.*s' is no system call and no %%class; "
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

static int apply_no_probes(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->no_probes = true;
	return 0;
}

static int apply_map_size(struct options *options, const char *value, char *error)
{
	static const char *const names[RECORDER_MAP_COUNT] = {
		[RECORDER_MAP_THREADS] = "threads=",   [RECORDER_MAP_CALLS] = "calls=",
		[RECORDER_MAP_ERRORS] = "errors=",     [RECORDER_MAP_COMPONENTS] = "components=",
		[RECORDER_MAP_STACKS] = "stacks=",     [RECORDER_MAP_RULES] = "rules=",
		[RECORDER_MAP_CONTEXTS] = "contexts=", [RECORDER_MAP_SOCKETS] = "sockets=",
		[RECORDER_MAP_PATHS] = "paths=",       [RECORDER_MAP_EVENTS] = "events=",
	};

	for (int map = 0; map < RECORDER_MAP_COUNT; map++) {
		int64_t limit = map == RECORDER_MAP_COMPONENTS ? SCALER_COMPONENT_LIMIT - 1 : 1 << 26;
		size_t length = strlen(names[map]);
		int64_t rows;

		if (strncmp(value, names[map], length))
			continue;
		if (parse_integer(value + length, 1, limit, &rows))
			return options_refuse(error, "--map-size %s takes 1 to %" PRId64 " rows, not '%s'",
					      names[map], limit, value + length);
		options->map_rows[map] = (uint32_t)rows;
		return 0;
	}
	return options_refuse(error,
			      "--map-size takes threads=N, calls=N, errors=N, components=N, stacks=N, "
			      "rules=N, contexts=N, sockets=N, paths=N or events=BYTES, "
			      "not '%s'",
			      value);
}

static int apply_without(struct options *options, const char *value, char *error)
{
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		enum feature feature = feature_find(at, length);

		if (feature == FEATURE_COUNT)
			return options_refuse(error, "--without takes a list of: %s; not '%s'", FEATURE_NAMES,
					      value);
		options->without |= 1U << feature;
		at += length;
		if (!*at)
			return 0;
	}
}

static int apply_report(struct options *options, const char *value, char *error)
{
	options->named = 0;
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		unsigned int part = report_part_find(at, length);

		if (!part)
			return options_refuse(error, "--report takes a list of: %s; not '%s'",
					      REPORT_PART_NAMES, value);
		options->named |= part;
		at += length;
		if (!*at)
			return 0;
	}
}

static int apply_wide(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->report.width = REPORT_WIDTH_ALL;
	return 0;
}

static int apply_depth(struct options *options, const char *value, char *error)
{
	int64_t frames;

	options->depth_is_given = true;
	options->depth = (struct scaler_stack_depth){ SCALER_STACK_FRAMES, true };
	if (!strcmp(value, "app"))
		return 0;
	if (parse_integer(value, 0, SCALER_STACK_FRAMES, &frames))
		return options_refuse(error, "--depth takes app or a number of frames from 0 to %d, not '%s'",
				      SCALER_STACK_FRAMES, value);
	options->depth = (struct scaler_stack_depth){ (uint32_t)frames, false };
	return 0;
}

static int apply_frequency(struct options *options, const char *value, char *error)
{
	int64_t frequency;

	if (parse_integer(value, 1, FREQUENCY_LIMIT, &frequency))
		return options_refuse(error, "--frequency takes 1 to %d samples a second, not '%s'",
				      FREQUENCY_LIMIT, value);
	options->frequency = (unsigned int)frequency;
	options->needs_samples = true;
	return 0;
}

static int apply_no_samples(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->no_samples = true;
	return 0;
}

static int apply_component_of(struct options *options, const char *value, char *error)
{
	for (enum component_of of = 0; of < COMPONENT_OF_COUNT; of++) {
		if (strcmp(component_of_name(of), value))
			continue;
		options->report.component_of = of;
		if (of == COMPONENT_OF_CALLING)
			options->needs_stacks = "--component-of calling";
		return 0;
	}
	return options_refuse(error, "--component-of takes calling or issuing, not '%s'", value);
}

static int apply_sort(struct options *options, const char *value, char *error)
{
	options->report.sort = sort_key_find(value);
	if (!options->report.sort)
		return options_refuse(error, "--sort takes one of: %s; not '%s'", SORT_KEY_NAMES, value);
	return 0;
}

static int apply_no_templates(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->no_templates = true;
	return 0;
}

static int apply_symbols(struct options *options, const char *value, char *error)
{
	struct stat status;

	free(options->symbols);
	options->symbols = realpath(value, NULL);
	options->report.symbols = options->symbols;
	if (!options->symbols || stat(options->symbols, &status))
		return options_refuse(error, "--symbols cannot use '%s': %s", value, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return options_refuse(error, "--symbols takes a folder with debug files, and '%s' is none",
				      value);
	/* It separates the folders of a search path. */
	if (strchr(options->symbols, ':'))
		return options_refuse(error, "--symbols cannot use a folder with ':' in its path: '%s'",
				      options->symbols);
	return 0;
}

static int apply_top(struct options *options, const char *value, char *error)
{
	int64_t top;

	if (parse_integer(value, 1, INT_MAX, &top))
		return options_refuse(error, "--top takes a number of rows from 1 on, not '%s'", value);
	options->report.top = (size_t)top;
	return 0;
}

static int apply_duration(struct options *options, const char *value, char *error)
{
	if (parse_time(value, &options->duration_ns))
		return options_refuse(
			error, "--duration takes seconds above 0, as 10 or 0.5, or 500ms, not '%s'", value);
	return 0;
}

static int apply_interval(struct options *options, const char *value, char *error)
{
	if (parse_time(value, &options->interval_ns) || options->interval_ns < INTERVAL_LEAST_NS)
		return options_refuse(error, "--interval takes seconds from 0.1 on, or 100ms, not '%s'",
				      value);
	options->report.repeats = true;
	return 0;
}

static int apply_output(struct options *options, const char *value, char *error)
{
	if (!*value)
		return options_refuse(error, "-o takes the name of a file, not an empty word");
	options->output = value;
	return 0;
}

static int apply_format(struct options *options, const char *value, char *error)
{
	options->format = renderer_find(value);
	return options->format ?
		       0 :
		       options_refuse(error, "--format takes text, json or folded, not '%s'", value);
}

static int apply_folded(struct options *options, const char *value, char *error)
{
	(void)value;
	(void)error;
	options->format = &renderer_folded;
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

/* clang-format off: one option a line */
const struct option_row option_rows[] = {
	{ "pid", 'p', "PID[,PID...]", "trace these processes", apply_pid, false },
	{ "tid", 't', "TID[,TID...]", "trace these threads", apply_tid, false },
	{ "cgroup", 0, "PATH", "trace the processes in this cgroup (v2) and those below it", apply_cgroup,
	  false },
	{ "comm", 0, "NAME", "of these, only processes with this name", apply_comm, false },
	{ "follow", 0, "WHAT", "trace also: none, new threads, or children, too, and newcomers (the default)",
	  apply_follow, false },
	{ "duration", 0, "S", "end after S seconds", apply_duration, false },
	{ "interval", 0, "S", "report every S seconds what has happened since the last report",
	  apply_interval, false },
	{ "syscalls", 0, "[!]LIST", "record only (!: all but) these system calls and %classes",
	  option_apply_syscalls, false },
	{ "no-syscalls", 0, NULL, "record no system calls, only the threads' states", apply_no_syscalls,
	  false },
	{ "blocking-report", 0, NULL, "record each blocking interval: who, when, in what, woken by whom",
	  option_apply_blocking_report, false },
	{ "wait-chains", 0, NULL, "say what each wait was made of: who woke it, and what that had been doing",
	  option_apply_wait_chains, false },
	{ "bottlenecks", 0, NULL, "rank waits by all that they delay in turn, and say what they come down to",
	  option_apply_bottlenecks, false },
	{ "count-idle", 0, NULL, "of these, rank waits for work that nobody had offered like all others",
	  option_apply_count_idle, false },
	{ "chain-depth", 0, "N", "show N levels of chains, the waits themselves included",
	  option_apply_chain_depth, false },
	{ "history", 0, "S", "follow chains S seconds back; by default as far as 4 million waits go",
	  option_apply_history, false },
	{ "critical-path", 0, "TASK|FROM..TO",
	  "say what determined how long a thread or process took, moment by moment",
	  option_apply_critical_path, false },
	{ "live", 0, NULL, "print each blocking interval as it ends", option_apply_live, false },
	{ "min-duration", 0, "S", "of blocking intervals, those that are as long: 0.005 or 5ms",
	  option_apply_min_duration, false },
	{ "since", 0, "S", "of these, those that end S seconds after the recording began or later",
	  option_apply_since, false },
	{ "until", 0, "S", "of these, those that begin before", option_apply_until, false },
	{ "state", 0, "LETTERS", "of these, those in such a state, as ps has it: S, D, I, T, t, P",
	  option_apply_state, false },
	{ "task", 0, "GLOB[,GLOB]", "of these, those of threads with such a name or TID", option_apply_task,
	  false },
	{ "paths", 0, NULL, "show the paths of the files that threads waited on", option_apply_paths, false },
	{ "wall-clock", 0, NULL, "show when they began by the time of day", option_apply_wall_clock, false },
	{ "report", 0, "LIST", "print these: " REPORT_PART_NAMES, apply_report, false },
	{ "sort", 0, "KEY", "sort rows by their total, running, runnable, blocked, calls, ...", apply_sort,
	  false },
	{ "component-of", 0, "calling|issuing",
	  "attribute system calls to the component that called for them, or issued them", apply_component_of,
	  false },
	{ "depth", 0, "app|N", "walk stacks to the application, or N frames up; 0: do not", apply_depth,
	  false },
	{ "frequency", 0, "N", "take N CPU samples a second (default 199)", apply_frequency, false },
	{ "no-samples", 0, NULL, "take no CPU samples", apply_no_samples, false },
	{ "no-templates", 0, NULL, "walk every stack anew, though it looks like one that is known",
	  apply_no_templates, false },
	{ "lib", 0, "GLOB[,GLOB]", "of library functions, those of these libraries", option_apply_lib,
	  false },
	{ "func", 0, "GLOB[,GLOB]",
	  "of library functions, these; of blocking intervals, those in such a function", option_apply_func,
	  false },
	{ "exclude", 0, "GLOB[,GLOB]", "no library functions with these names, or of these libraries",
	  option_apply_exclude, false },
	{ "calls", 0, "[=edges|exports]",
	  "count and time calls of library functions by probes: those that another file imports, or all",
	  option_apply_calls, false },
	{ "count-only", 0, NULL, "count calls of library functions, and do not time them",
	  option_apply_count_only, false },
	{ "no-probes", 0, NULL, "set no probes in programs (the default)", apply_no_probes, false },
	{ "overhead", 0, "PCT|none", "take no more of the threads' running time than that (default 5)",
	  option_apply_overhead, false },
	{ "list", 0, NULL, "list the library functions that are chosen, and trace nothing", option_apply_list,
	  false },
	{ "symbols", 0, "DIR", "search DIR too for debug files, by build-id", apply_symbols, false },
	{ "wide", 0, NULL, "print lines as wide as they are, not as wide as the terminal", apply_wide,
	  false },
	{ "top", 0, "N", "rows that a table of text shows (default 40)", apply_top, false },
	{ "output", 'o', "FILE", "write the report to FILE", apply_output, false },
	{ "format", 0, "text|json|folded", "the report's format (default text)", apply_format, true },
	{ "folded", 0, NULL,
	  "print the stacks of calls and of what runs, or of wait chains, for flame graph tools",
	  apply_folded, false },
	{ "without", 0, "FEATURE[,FEATURE]", "record as on kernels without: " FEATURE_NAMES, apply_without,
	  false },
	{ "map-size", 0, "MAP=ROWS", "size of a map: threads, calls, errors, components, stacks, ...",
	  apply_map_size, false },
	{ "control", 0, "fifo|fd:CTL[,ACK]",
	  "obey commands: enable, disable, ping, stop, snapshot, mark [BEGIN|END] NAME", option_apply_control,
	  false },
	{ "delay", 'D', "MS", "begin to record after MS milliseconds; -1: when enabled by --control",
	  option_apply_delay, false },
	{ "ready-fd", 0, "N", "write a byte to descriptor N once all probes are set", option_apply_ready_fd,
	  false },
	{ "pidfile", 0, "FILE", "then write the tracer's PID to FILE, and remove it at the end",
	  option_apply_pidfile, false },
	{ "verbose", 'v', NULL, "print libbpf's and the verifier's messages", apply_verbose, true },
	{ "help", 'h', NULL, "print this help", apply_help, true },
	{ "version", 'V', NULL, "print the version", apply_version, true },
};

/* clang-format on */

const size_t option_row_count = ARRAY_SIZE(option_rows);
_Static_assert(ARRAY_SIZE(option_rows) <= OPTION_ROWS_MAX, "OPTION_ROWS_MAX");
