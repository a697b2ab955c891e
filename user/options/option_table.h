/* SPDX-License-Identifier: GPL-2.0-only */
/* The options and subcommands as tables, which parsing, --help and completion share. */
#ifndef SCALER_OPTIONS_OPTION_TABLE_H
#define SCALER_OPTIONS_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "options/options.h"

/* What --help lists below one title. */
enum option_group {
	OPTIONS_TARGET,
	OPTIONS_TIME,
	OPTIONS_REPORT,
	OPTIONS_WAITS,
	OPTIONS_RECORD,
	OPTIONS_LIBRARY,
	OPTIONS_OUTPUT,
	OPTIONS_SCRIPT,
	OPTIONS_GENERAL,
	OPTIONS_KNOBS, /* for tests, and in no --help: the manual has them */
	OPTION_GROUP_COUNT,
};

/* NULL for the knobs. */
const char *option_group_title(enum option_group group);

/* Puts the argument, NULL if there is none, into the options. Returns 0, or -EINVAL with one line in error. */
typedef int option_apply(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);

/* The field of struct options that an option sets by itself. */
enum option_field {
	OPTION_FIELD_NONE,
	OPTION_FIELD_FLAG, /* bool: true */
	OPTION_FIELD_TIME, /* uint64_t, ns */
};

struct option_row {
	const char *name;
	char letter;          /* 0: none */
	const char *argument; /* as --help names it; NULL: none. See option_may_omit() */
	const char *help;
	enum option_group group;
	unsigned int subcommands; /* that have it: bits by enum subcommand */
	bool is_common;           /* and in the --help of all */
	enum option_field field;
	size_t offset;       /* of the field */
	option_apply *apply; /* after that; NULL: nothing */
	/* What completes the argument: words separated by ", ", or what "@word" stands for. NULL: nothing. */
	const char *values;
};

#define OPTION_ROWS_MAX 64 /* struct options has a bit for each */
extern const struct option_row option_rows[];
extern const size_t option_row_count; /* at most OPTION_ROWS_MAX */

/* "[=one|other]": these words, which may also be the next on the command line. "[ANY]": whatever is no option. */
bool option_may_omit(const struct option_row *row);
/* Whether the next word is such an option's argument. */
bool option_takes_word(const struct option_row *row, const char *word);

struct subcommand_row {
	const char *name;
	const char *arguments; /* as --help has them behind the options */
	const char *summary;   /* NULL: for the completion alone */
	const char *text;      /* of its own --help */
	bool takes_command;
	option_apply *apply_word; /* what it does with its one word; NULL: it takes none */
	const char *values;       /* that complete this word, as an option's */
};

/* By enum subcommand. */
extern const struct subcommand_row subcommand_rows[SUBCOMMAND_COUNT];

option_apply option_apply_pid, option_apply_tid, option_apply_comm, option_apply_cgroup, option_apply_follow;
option_apply option_apply_syscalls, option_apply_report, option_apply_component_of, option_apply_sort;
option_apply option_apply_depth, option_apply_frequency, option_apply_symbols, option_apply_top;
/* The file where nothing names one. */
#define RECORDING_DEFAULT "scaler-bpf.trace"
option_apply option_apply_save, option_apply_recording, option_apply_keep, option_apply_save_when;
option_apply option_apply_interval, option_apply_output, option_apply_format, option_apply_folded,
	option_apply_wide;

/* The order of enum recorder_map. */
#define MAP_SIZE_NAMES                                                                                       \
	"threads=, calls=, errors=, components=, stacks=, rules=, contexts=, sockets=, paths=, events="
option_apply option_apply_map_size, option_apply_without;
option_apply option_apply_lib, option_apply_func, option_apply_exclude, option_apply_calls,
	option_apply_overhead;
option_apply option_apply_control, option_apply_delay, option_apply_ready_fd, option_apply_pidfile;
option_apply option_apply_bottlenecks, option_apply_chain_depth, option_apply_wait_chains,
	option_apply_critical_path;
option_apply option_apply_live, option_apply_state, option_apply_task;

/*
 * Blocking intervals take no system calls: those are left out if nothing that is to be printed is about them. Returns
 * 0, or -EINVAL with one line in error.
 */
int options_choose_blocking(struct options *options, char error[OPTIONS_ERROR_SIZE]);

/* Whether calls of library functions are, or may have been, recorded. */
bool options_may_have_calls(const struct options *options);

/* Whose critical path it is, if one is to be printed. Returns 0, or -EINVAL with one line in error. */
int options_check_chains(struct options *options, char error[OPTIONS_ERROR_SIZE]);

/* Says in error what is wrong. Returns -EINVAL. */
int options_refuse(char error[OPTIONS_ERROR_SIZE], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
