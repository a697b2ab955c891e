// SPDX-License-Identifier: GPL-2.0-only
/* The options and subcommands one by one: what each takes, what it does, how --help describes it. */
#include "options/option_table.h"

#include <string.h>

#include "base/array.h"
#include "plan/feature_names.h"

#define TRACE  (1U << SUBCOMMAND_TRACE)
#define LIVE   (1U << SUBCOMMAND_LIVE)
#define SAVE   (1U << SUBCOMMAND_RECORD)
#define FILES  (1U << SUBCOMMAND_REPORT)
#define LIST   (1U << SUBCOMMAND_LIST)
#define TRACES (TRACE | LIVE | SAVE)
#define ALL    (~0U)

#define FLAG(member) .field = OPTION_FIELD_FLAG, .offset = offsetof(struct options, member)
#define TIME(member) .field = OPTION_FIELD_TIME, .offset = offsetof(struct options, member)
#define COMMON       .is_common = true

const char *option_group_title(enum option_group group)
{
	static const char *const titles[OPTION_GROUP_COUNT] = {
		[OPTIONS_TARGET] = "Whom to trace; by default the whole system",
		[OPTIONS_TIME] = "When; a time is in seconds, or has a unit: 0.5, 500ms, 20us",
		[OPTIONS_REPORT] = "What to report; by default a summary on one screen",
		[OPTIONS_WAITS] = "Which blocking intervals to report",
		[OPTIONS_RECORD] = "What to record, and at what cost",
		[OPTIONS_LIBRARY] = "Calls of library functions, by probes; by default no probe is set",
		[OPTIONS_OUTPUT] = "Output",
		[OPTIONS_SCRIPT] = "For scripts",
		[OPTIONS_GENERAL] = "General",
	};

	return titles[group];
}

/* An option a paragraph. */
/* clang-format off */
const struct option_row option_rows[] = {
	{ "pid", 'p', "PID[,PID...]", "these processes", OPTIONS_TARGET, TRACES | LIST, COMMON,
	  .apply = option_apply_pid, .values = "@pids" },
	{ "tid", 't', "TID[,TID...]", "these threads", OPTIONS_TARGET, TRACES | LIST, COMMON,
	  .apply = option_apply_tid },
	{ "cgroup", 0, "PATH", "the processes in this cgroup (v2) and those below it", OPTIONS_TARGET,
	  TRACES | LIST, COMMON, .apply = option_apply_cgroup, .values = "@files" },
	{ "comm", 0, "NAME", "of these, only processes with this name", OPTIONS_TARGET, TRACES | LIST,
	  COMMON, .apply = option_apply_comm, .values = "@comms" },
	{ "follow", 0, "WHAT", "who is traced too: none, new threads, or children (default)", OPTIONS_TARGET,
	  TRACES, .apply = option_apply_follow, .values = "none, threads, children" },

	{ "duration", 0, "TIME", "end after that time", OPTIONS_TIME, TRACES, COMMON,
	  TIME(duration_ns) },
	{ "interval", 0, "TIME", "report at such intervals, what has happened in each", OPTIONS_TIME, TRACE | FILES,
	  COMMON, .apply = option_apply_interval },
	{ "delay", 'D', "MS", "begin to record later: 500 (milliseconds), 2s; -1: when --control enables it",
	  OPTIONS_TIME, TRACES, .apply = option_apply_delay },

	{ "report", 0, "LIST", "any of: " REPORT_PART_NAMES, OPTIONS_REPORT, TRACE | FILES, COMMON,
	  .apply = option_apply_report, .values = REPORT_PART_NAMES },
	{ "blocking-report", 0, NULL, "blocking intervals: who, when, in what, on what, woken by whom",
	  OPTIONS_REPORT, TRACE | FILES, COMMON, FLAG(records_blocking) },
	{ "wait-chains", 0, NULL, "what each wait was made of: who woke it, and what that did meanwhile",
	  OPTIONS_REPORT, TRACE | FILES, COMMON, .apply = option_apply_wait_chains },
	{ "bottlenecks", 0, NULL, "waits, ranked by all that they delay in turn", OPTIONS_REPORT, TRACE | FILES,
	  COMMON, .apply = option_apply_bottlenecks },
	{ "critical-path", 0, "[TASK|FROM..TO]",
	  "what determined how long a thread or process took, step by step", OPTIONS_REPORT, TRACE | FILES, COMMON,
	  .apply = option_apply_critical_path, .values = "@comms" },
	{ "live", 0, NULL, "each blocking interval as it ends, as the subcommand of that name",
	  OPTIONS_REPORT, TRACE, .apply = option_apply_live },
	{ "count-idle", 0, NULL, "rank waits for work that nobody had offered like all others",
	  OPTIONS_REPORT, TRACE | FILES, FLAG(report.counts_idle) },
	{ "chain-depth", 0, "N", "show N levels of chains, the waits themselves included", OPTIONS_REPORT,
	  TRACE | FILES, .apply = option_apply_chain_depth },
	{ "history", 0, "TIME", "follow chains so far back (default: as far as 4 million waits go)",
	  OPTIONS_REPORT, TRACE | FILES, TIME(report.history_ns) },

	{ "min-duration", 0, "TIME", "those of that length or longer", OPTIONS_WAITS, TRACE | LIVE | FILES, COMMON,
	  TIME(report.filter.least_ns) },
	{ "since", 0, "TIME", "those that end that long after the recording began, or later", OPTIONS_WAITS,
	  TRACE | LIVE | FILES, TIME(report.filter.since_ns) },
	{ "until", 0, "TIME", "those that begin before", OPTIONS_WAITS, TRACE | LIVE | FILES,
	  TIME(report.filter.until_ns) },
	{ "state", 0, "LETTERS", "those in such a state, as ps has it: S, D, I, T, t, P", OPTIONS_WAITS,
	  TRACE | LIVE | FILES, .apply = option_apply_state },
	{ "task", 0, "GLOB[,GLOB]", "those of threads with such a name or TID", OPTIONS_WAITS, TRACE | LIVE | FILES,
	  COMMON, .apply = option_apply_task, .values = "@comms" },
	{ "paths", 0, NULL, "show the paths of the files that threads waited on", OPTIONS_WAITS, TRACES,
	  FLAG(records_paths) },
	{ "wall-clock", 0, NULL, "show when they began by the time of day", OPTIONS_WAITS, TRACE | LIVE | FILES,
	  FLAG(report.wall_clock) },

	{ "syscalls", 0, "[!]LIST", "record only (!: all but) these system calls and %classes",
	  OPTIONS_RECORD, TRACE | SAVE, .apply = option_apply_syscalls, .values = "@syscalls" },
	{ "no-syscalls", 0, NULL, "record no system calls, only the threads' states", OPTIONS_RECORD, TRACE | SAVE,
	  FLAG(no_syscalls) },
	{ "component-of", 0, "calling|issuing",
	  "attribute system calls to the component that asked for them, or issued them", OPTIONS_RECORD,
	  TRACE | FILES, .apply = option_apply_component_of, .values = "calling, issuing" },
	{ "depth", 0, "app|N", "walk stacks to the application, or N frames up; 0: do not", OPTIONS_RECORD,
	  TRACES, .apply = option_apply_depth, .values = "app, 0" },
	{ "frequency", 0, "N", "take N CPU samples a second (default 199)", OPTIONS_RECORD, TRACE | SAVE,
	  .apply = option_apply_frequency },
	{ "no-samples", 0, NULL, "take no CPU samples", OPTIONS_RECORD, TRACE | SAVE, FLAG(no_samples) },
	{ "overhead", 0, "PCT|none", "take no more of the threads' running time than that (default 5)",
	  OPTIONS_RECORD, TRACES, .apply = option_apply_overhead, .values = "1, 2, 5, 10, none" },

	{ "calls", 0, "[=edges|exports]",
	  "count and time calls: of functions that another file imports, or all", OPTIONS_LIBRARY,
	  TRACE | SAVE | LIST, COMMON, .apply = option_apply_calls, .values = "edges, exports" },
	{ "lib", 0, "GLOB[,GLOB]", "those of these libraries", OPTIONS_LIBRARY, TRACE | SAVE | LIST, COMMON,
	  .apply = option_apply_lib },
	{ "func", 0, "GLOB[,GLOB]", "these functions; of blocking intervals, those in such a function",
	  OPTIONS_LIBRARY, TRACES | FILES | LIST, COMMON, .apply = option_apply_func },
	{ "exclude", 0, "GLOB[,GLOB]", "no functions with these names, or of these libraries",
	  OPTIONS_LIBRARY, TRACE | SAVE | LIST, .apply = option_apply_exclude },
	{ "count-only", 0, NULL, "count calls, and do not time them", OPTIONS_LIBRARY, TRACE | SAVE | LIST,
	  FLAG(counts_only) },
	{ "list", 0, NULL, "list the functions that are chosen, as the subcommand of that name",
	  OPTIONS_LIBRARY, TRACE, FLAG(list) },
	{ "no-probes", 0, NULL, "set no probes in programs (the default)", OPTIONS_LIBRARY, TRACE | SAVE,
	  FLAG(no_probes) },

	{ "output", 'o', "FILE", "write the report, or with record what is recorded, to FILE", OPTIONS_OUTPUT,
	  TRACES | FILES | LIST, COMMON,
	  .apply = option_apply_output, .values = "@files" },
	{ "keep", 0, "TIME|SIZE",
	  "keep the last 60s, or 512M, or 60s,512M, in memory; save it at SIGUSR2 and at the end", OPTIONS_OUTPUT, SAVE,
	  .apply = option_apply_keep },
	{ "save-when", 0, "CONDITION",
	  "with --keep, save it after such a wait: 'wait>50ms func=pthread_mutex_lock task=worker*'",
	  OPTIONS_OUTPUT, SAVE, .apply = option_apply_save_when },
	{ "save", 0, "FILE", "keep all that is recorded in FILE too, for scaler-bpf report", OPTIONS_OUTPUT, TRACE,
	  .apply = option_apply_save, .values = "@files" },
	{ "format", 0, "text|json|folded", "the report's format (default text)", OPTIONS_OUTPUT, ALL & ~SAVE, COMMON,
	  .apply = option_apply_format, .values = "text, json, folded" },
	{ "folded", 0, NULL, "stacks of calls and of what runs, or of wait chains, for flame graph tools",
	  OPTIONS_OUTPUT, TRACE | FILES, COMMON, .apply = option_apply_folded },
	{ "sort", 0, "KEY", "sort rows by: " SORT_KEY_NAMES, OPTIONS_OUTPUT, TRACE | FILES,
	  .apply = option_apply_sort, .values = SORT_KEY_NAMES },
	{ "top", 0, "N", "rows that a table of text shows (default 40)", OPTIONS_OUTPUT, TRACE | FILES,
	  .apply = option_apply_top },
	{ "wide", 0, NULL, "print lines as wide as they are, not as wide as the terminal", OPTIONS_OUTPUT,
	  TRACE | LIVE | FILES, .apply = option_apply_wide },
	{ "symbols", 0, "DIR", "search DIR too for debug files, by build-id", OPTIONS_OUTPUT,
	  TRACES | LIST, .apply = option_apply_symbols, .values = "@files" },

	{ "control", 0, "fifo|fd:CTL[,ACK]",
	  "obey commands: enable, disable, ping, stop, snapshot, save [FILE], mark [BEGIN|END] NAME", OPTIONS_SCRIPT,
	  TRACES, .apply = option_apply_control },
	{ "ready-fd", 0, "N", "write a byte to descriptor N once everything is in place", OPTIONS_SCRIPT,
	  TRACES, .apply = option_apply_ready_fd },
	{ "pidfile", 0, "FILE", "then write the tracer's PID to FILE, and remove it at the end",
	  OPTIONS_SCRIPT, TRACES, .apply = option_apply_pidfile, .values = "@files" },

	{ "verbose", 'v', NULL, "print libbpf's and the verifier's messages", OPTIONS_GENERAL, ALL,
	  FLAG(verbose) },
	{ "help", 'h', NULL, "print this help, or that of a subcommand", OPTIONS_GENERAL, ALL, COMMON,
	  FLAG(help) },
	{ "version", 'V', NULL, "print the version", OPTIONS_GENERAL, ALL, COMMON, FLAG(version) },

	{ "without", 0, "FEATURE[,FEATURE]", "record as on kernels without: " FEATURE_NAMES, OPTIONS_KNOBS,
	  TRACES | LIST | 1U << SUBCOMMAND_DOCTOR, .apply = option_apply_without,
	  .values = FEATURE_NAMES },
	{ "map-size", 0, "MAP=ROWS", "size of a map: " MAP_SIZE_NAMES, OPTIONS_KNOBS, TRACES,
	  .apply = option_apply_map_size, .values = MAP_SIZE_NAMES },
	{ "no-templates", 0, NULL, "walk every stack anew, though it looks like one that is known",
	  OPTIONS_KNOBS, TRACES, FLAG(no_templates) },
};

const struct subcommand_row subcommand_rows[SUBCOMMAND_COUNT] = {
	[SUBCOMMAND_TRACE] = { "trace", "[-p PID | -t TID | --cgroup PATH | -- COMMAND [ARGUMENT...]]",
			       "record, then report (the default: the word may be omitted)",
			       "Records until the target ends, for --duration, or until Ctrl-C or SIGTERM, "
			       "and prints the report.\n"
			       "A command gets the first of these signals; a second one ends the recording "
			       "while it goes on.\n"
			       "Exit status: 0, the command's own, 1 for a failure, 2 for wrong usage, 126 "
			       "and 127 for a command\n"
			       "that cannot be run or found.\n",
			       .takes_command = true },
	[SUBCOMMAND_LIVE] = { "live", "[-p PID | -t TID | --cgroup PATH | -- COMMAND [ARGUMENT...]]",
			      "print each blocking interval as it ends",
			      "Prints a line for each blocking interval within a fifth of a second of its "
			      "end: who was blocked,\n"
			      "in what, on what, and who ended that. Nothing is kept of what is printed.\n",
			      .takes_command = true },
	[SUBCOMMAND_RECORD] = { "record", "[-p PID | -t TID | --cgroup PATH | -- COMMAND [ARGUMENT...]]",
				"save all in a file, for any report later",
				"Saves each second all that reports are made of, by default in " RECORDING_DEFAULT ".\n"
				"Calls of library functions are recorded with --calls, --lib or --func. What was "
				"saved before a\n"
				"kill or a full disk can be reported.\n",
				.takes_command = true },
	[SUBCOMMAND_REPORT] = { "report", "[FILE]", "report what record has saved: here or elsewhere, without root",
				"Prints from a recording file, by default " RECORDING_DEFAULT ", any report that "
				"could have been printed\n"
				"when it was recorded.\n",
				.apply_word = option_apply_recording, .values = "@files" },
	[SUBCOMMAND_LIST] = { "list", "[-p PID | -t TID | --cgroup PATH | -- COMMAND [ARGUMENT...]]",
			      "list the library functions that --calls counts, and trace nothing",
			      "Lists the library functions whose calls trace would count and time with the "
			      "same options, and\n"
			      "why it would not with others. A command is not run. System-wide it needs "
			      "--lib.\n",
			      .takes_command = true },
	[SUBCOMMAND_SYSCALLS] = { "syscalls", "[[!]LIST]",
				  "list system calls, their numbers, categories and classes",
				  "Lists all system calls, or those that trace --syscalls LIST would record: "
				  "names and %classes,\n"
				  "separated by commas; with ! all but these.\n",
				  .apply_word = option_apply_syscalls, .values = "@syscalls" },
	[SUBCOMMAND_COLUMNS] = { "columns", "[LIST]", "say what the columns of the reports mean",
				 "Lists the columns of all reports that are tables, or of those that trace "
				 "--report LIST prints: what\n"
				 "each is called on the screen and in JSON, and what it means. --format json "
				 "prints the JSON schema of\n"
				 "all reports.\n",
				 .apply_word = option_apply_report, .values = REPORT_PART_NAMES },
	[SUBCOMMAND_DOCTOR] = { "doctor", "",
				"say whether this kernel and user can trace, and what they lack",
				"Lists what tracing needs of the kernel and of the user, what of it is "
				"there, and the remedy where\n"
				"it is not. Exit status: 0 if programs can be traced here, else 1.\n" },
	[SUBCOMMAND_COMPLETE] = { "complete", "[SUBCOMMAND] [OPTION]", NULL, NULL },
};

/* clang-format on */

const size_t option_row_count = ARRAY_SIZE(option_rows);
_Static_assert(ARRAY_SIZE(option_rows) <= OPTION_ROWS_MAX, "OPTION_ROWS_MAX");

bool option_may_omit(const struct option_row *row)
{
	size_t length = row->argument ? strlen(row->argument) : 0;

	return length && row->argument[0] == '[' && row->argument[length - 1] == ']';
}

bool option_takes_word(const struct option_row *row, const char *word)
{
	size_t length = strlen(word);

	if (row->argument[1] != '=')
		return *word != '-';
	for (const char *at = row->argument + 1; *at; at += strcspn(at, "|]")) {
		at++;
		if (length && length == strcspn(at, "|]") && !strncmp(at, word, length))
			return true;
	}
	return false;
}
