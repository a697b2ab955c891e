/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line as data: parsed once, then passed on const. */
#ifndef SCALER_OPTIONS_OPTIONS_H
#define SCALER_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <scaler/target.h>

#include "analysis/report_options.h"
#include "control/announcement.h"
#include "model/syscall_filter.h"
#include "plan/map_choice.h"
#include "plan/plan.h"
#include "render/renderer.h"

enum subcommand {
	SUBCOMMAND_TRACE,
	SUBCOMMAND_LIVE,   /* traces, as the option of that name */
	SUBCOMMAND_RECORD, /* traces, and only saves */
	SUBCOMMAND_REPORT,
	SUBCOMMAND_LIST,
	SUBCOMMAND_SYSCALLS,
	SUBCOMMAND_COLUMNS,
	SUBCOMMAND_DOCTOR,
	SUBCOMMAND_COMPLETE, /* for the shell's completion */
	SUBCOMMAND_COUNT,
};

#define OPTIONS_ID_LIMIT 1024

/* Whom to trace; at most one of ids, cgroup and command is given, and none means the whole system. */
struct target_options {
	enum scaler_target_kind kind; /* processes if a command is given */
	pid_t *ids;                   /* owned; of processes or threads, without duplicates */
	size_t id_count;
	const char *cgroup; /* NULL, or a path */
	char **command;     /* NULL, or the words after "--", in argv */
	const char *comm;   /* NULL, or the name that a process must have */
	enum scaler_follow follow;
};

/* A flight recorder. */
struct keep_options {
	uint64_t ns;    /* what was longer ago is forgotten; 0: nothing is for that */
	uint64_t bytes; /* and what does not fit; 0: all does */
	struct blocking_filter
		when; /* it is saved for such a wait; least_ns 0: for none; its patterns are owned */
};

struct options {
	enum subcommand subcommand;
	bool names_subcommand;
	bool help, version; /* is all that is asked for */
	char **words;       /* SUBCOMMAND_COMPLETE: those after it, in argv */
	uint64_t given;     /* bits by row of the table of options */
	struct target_options target;
	bool no_syscalls;
	unsigned int named;                    /* enum report_part: those that --report lists */
	unsigned int asks;                     /* and those that have options of their own */
	bool records_blocking;                 /* each blocking interval */
	bool records_paths;                    /* of the files that threads are blocked on */
	struct syscall_filter *filter;         /* owned; NULL: all system calls */
	char *symbols;                         /* owned; report.symbols */
	char *path_task;                       /* owned; report.path.task */
	uint32_t map_rows[RECORDER_MAP_COUNT]; /* 0: the default */
	struct scaler_stack_depth depth;
	bool depth_is_given; /* not the default */
	bool no_templates;
	unsigned int without;   /* bits by enum feature */
	unsigned int frequency; /* of CPU samples, a second and CPU; 0: none */
	bool no_samples;
	bool needs_samples;       /* something is asked for that makes no sense without them */
	const char *needs_stacks; /* the option that makes no sense without them; NULL: none */
	struct report_options report;
	unsigned int records; /* enum report_part: of what these need all is recorded */
	uint64_t duration_ns; /* 0: until the target ends or a signal comes */
	uint64_t interval_ns; /* between reports; 0: one report at the end */
	const char *output;   /* NULL: standard output, or standard error with a command */
	const char *save;     /* the file that keeps what is recorded; NULL: none */
	struct keep_options keep;
	const char *recording; /* SUBCOMMAND_REPORT: the file to report */
	const struct renderer_ops *format;
	struct announcement announcement;
	const char *control; /* NULL, or a valid place for control_channel_open() */
	bool delays;         /* starts disabled */
	uint64_t delay_ns;   /* and is enabled after so long; 0: when it is asked for */
	bool verbose;
	bool list;
	const char *
		chooses_functions; /* the last option that does, for --list or to count their calls; NULL: none */
	struct plan_options plan;
	bool asks_calls; /* --calls was given */
	bool probes;     /* library calls are recorded, as a report that is to be printed has them */
	bool no_probes;
	bool counts_only; /* calls of library functions, instead of timing them, too */
	double overhead;  /* what probes may take, as a share of what the program runs itself; 0: no limit */
};

#define OPTIONS_ERROR_SIZE 256

/*
 * Returns 0, or -EINVAL with one line in error that says what is wrong and what would be right.
 * After either the caller calls options_clear(). Strings point into argv.
 */
int options_parse(struct options *options, int argc, char **argv, char error[OPTIONS_ERROR_SIZE]);
void options_clear(struct options *options);

#endif
