/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of options that parsing and --help share. */
#ifndef SCALER_CMD_OPTION_TABLE_H
#define SCALER_CMD_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/options.h"

struct option_row {
	const char *name;
	char letter;          /* 0: none */
	const char *argument; /* as --help names it; NULL: none; "[=one|other]": value may be NULL */
	const char *help;
	/* Puts the argument into the options. Returns 0, or -EINVAL with one line in error. */
	int (*apply)(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
	bool general; /* for every subcommand, not only for tracing */
};

#define OPTION_ROWS_MAX 56
extern const struct option_row option_rows[];
extern const size_t option_row_count; /* at most OPTION_ROWS_MAX */

/* Applies --syscalls, which the subcommand of that name takes as a word. */
int option_apply_syscalls(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);

/* Options that choose library functions. */
int option_apply_lib(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_func(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_exclude(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_calls(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_overhead(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_count_only(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_list(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);

/* For those who run the tracer by script. */
int option_apply_control(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_delay(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_ready_fd(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_pidfile(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);

/* Of the blocking report. */
int option_apply_blocking_report(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_bottlenecks(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_history(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_chain_depth(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_count_idle(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_wait_chains(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_critical_path(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_live(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_min_duration(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_since(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_until(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_state(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_task(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_paths(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);
int option_apply_wall_clock(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE]);

/*
 * Blocking intervals take no system calls: those are left out if nothing that is to be printed is about them. Returns
 * 0, or -EINVAL with one line in error.
 */
int options_choose_blocking(struct options *options, char error[OPTIONS_ERROR_SIZE]);

/* Whose critical path it is, if one is to be printed. Returns 0, or -EINVAL with one line in error. */
int options_check_chains(struct options *options, char error[OPTIONS_ERROR_SIZE]);

/* Says in error what is wrong. Returns -EINVAL. */
int options_refuse(char error[OPTIONS_ERROR_SIZE], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
