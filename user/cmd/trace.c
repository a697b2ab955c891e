// SPDX-License-Identifier: GPL-2.0-only
/* "scaler-bpf [TARGET]" and "scaler-bpf -- COMMAND": record, then report. */
#include "cmd/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/report.h"
#include "base/log.h"
#include "cmd/chain_feed.h"
#include "cmd/library_setup.h"
#include "cmd/live.h"
#include "cmd/report_output.h"
#include "cmd/target_setup.h"
#include "control/ending.h"
#include "model/interval.h"
#include "model/syscalls.h"
#include "probe/features.h"
#include "probe/recorder.h"
#include "render/renderer.h"
#include "stream/fold.h"
#include "stream/placement.h"
#include "target/command.h"

#define STATUS_FAILED         1
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND      127

#define SEARCH_PERIOD_NS 1000000000

struct trace {
	const struct options *options;
	struct report_output output;
	struct recorder *recorder;
	struct scaler_stack_depth depth;
	struct library_setup library;
	struct learner *learner; /* NULL: no stacks, samples and blocking intervals are recorded */
	struct ending ending;
	struct command command;
	struct profile last_reading; /* as of the last report; empty before the first */
	struct places places;        /* of all reports so far */
	struct chain_feed feed;
	struct live live;
};

/* A command's standard output is the command's. */
static int open_output(struct trace *trace)
{
	const struct options *options = trace->options;

	return report_output_open(&trace->output, options->output,
				  options->target.command ? STDERR_FILENO : STDOUT_FILENO,
				  ending_signal_fd(&trace->ending));
}

/* Stacks, which everybody gets by default, are left out where the kernel has not what it takes. */
static int choose_depth(struct trace *trace)
{
	const struct options *options = trace->options;

	trace->depth = options->depth;
	if (!trace->depth.frames || features_walk_stacks())
		return 0;
	trace->depth = (struct scaler_stack_depth){ 0 };
	if (!options->needs_stacks) {
		log_note("this kernel and machine cannot walk stacks, which takes Linux 5.17 on x86-64: "
			 "system calls are put down to the code that issued them");
		return 0;
	}
	log_error("%s needs stacks, and this kernel and machine cannot walk them: use Linux 5.17 or later on "
		  "x86-64",
		  options->needs_stacks);
	return -1;
}

static int open_recorder(struct trace *trace)
{
	const struct options *options = trace->options;
	struct recorder_knobs knobs = {
		.records_calls = !options->no_syscalls,
		.records_blocking = options->records_blocking,
		.records_delays = options->report.parts & REPORT_GRAPH,
		.read_while_recording = options->interval_ns,
		.filters_calls = options->filter,
		.no_templates = options->no_templates,
		.frequency = options->frequency,
		.needs_samples = options->needs_samples,
		.overhead = options->overhead,
	};

	if (choose_depth(trace) || target_setup_describe(&options->target, &knobs.target) ||
	    library_setup_plan(&trace->library, options))
		return -1;
	knobs.depth = trace->depth;
	knobs.function_count = library_setup_capacity(&trace->library);
	knobs.follows_processes = trace->library.follows;
	knobs.times_library_calls = knobs.function_count && options->returns != RETURN_PROBES_NONE;
	knobs.probes_library_returns = knobs.times_library_calls && options->returns != RETURN_PROBES_EXITS &&
				       features_have(FEATURE_UPROBE_SESSION);
	memcpy(knobs.map_rows, options->map_rows, sizeof(knobs.map_rows));
	for (unsigned int i = 0; i < SCALER_CALL_NUMBERS; i++) {
		const struct syscall_info *info = syscall_find_abi(SCALER_ABI_NATIVE, i);

		knobs.first_arguments[i] = info ? info->first_argument : SCALER_FIRST_OTHER;
	}
	if (options->filter)
		memcpy(knobs.filter_records, options->filter->records, sizeof(knobs.filter_records));
	return recorder_open(&trace->recorder, &knobs);
}

/* Not before a command is forked: the child of a process with threads may do little. */
static int start_recorder(struct trace *trace)
{
	int err = 0;

	if (trace->depth.frames || recorder_frequency(trace->recorder) || trace->options->records_blocking)
		err = learner_start(&trace->learner, trace->recorder, trace->depth);

	if (err)
		log_error("cannot follow the kernel's events: %s", strerror(-err));
	else
		recorder_start(trace->recorder);
	return err;
}

static void announce(const struct trace *trace)
{
	int fd = trace->options->ready_fd;

	if (fd >= 0 && write(fd, "", 1) != 1)
		log_note("cannot write to --ready-fd %d: %s", fd, strerror(errno));
	if (isatty(STDERR_FILENO) && !trace->options->target.command)
		log_note("recording; Ctrl-C ends it");
}

static int add_places(struct trace *trace, const struct profile *profile)
{
	size_t count;
	uint64_t *sites = chain_builder_sites(&trace->feed.chains, &count);
	const struct place_sites others = { sites, count };
	int err = sites ? places_add(&trace->places, profile, &others, trace->options->report.symbols) :
			  -ENOMEM;

	free(sites);
	return err;
}

static int print_profile(struct trace *trace, struct profile *profile)
{
	struct report_options options = trace->options->report;
	struct report report = { 0 };
	int err = placement_complete(profile);

	if (trace->options->target.command)
		options.path.target = trace->command.pid;
	options.frequency = recorder_frequency(trace->recorder);
	if (!options.frequency)
		options.parts &= ~REPORT_CPU;
	if (!trace->depth.frames) {
		options.component_of = COMPONENT_OF_ISSUING;
		options.parts &= ~REPORT_FUNCTIONS;
	}
	/* They are not there for those who have not asked for them, and whom they cannot be had for. */
	if (!profile->functions)
		options.parts &= ~(unsigned int)(REPORT_LIBRARY | REPORT_FLOW);
	if (!err)
		err = chain_feed_finish(&trace->feed, profile);
	if (!err)
		err = add_places(trace, profile);
	if (!err)
		err = report_make(profile, &trace->places, &options, &trace->feed.chains, &report);
	if (!err)
		err = renderer_run(trace->options->format, &report, trace->output.file);
	report_clear(&report);
	chain_feed_next(&trace->feed, profile);
	return err;
}

static int report_live(struct trace *trace, struct profile *reading, bool is_last)
{
	struct report_options options = trace->options->report;
	int err = placement_complete(reading);

	options.parts = 0;
	return err                                ?:
		       add_places(trace, reading) ?:
		       live_print(&trace->live, reading, &trace->places, &options, is_last);
}

/* Since the last report, or since the beginning. */
static int report_interval(struct trace *trace, struct profile *reading)
{
	struct profile interval = { 0 };
	int err = interval_between(&trace->last_reading, reading, &interval);

	if (!err)
		err = print_profile(trace, &interval);
	profile_clear(&interval);
	return err;
}

/* Reports what was recorded and has not been reported. */
static int report_next(struct trace *trace, bool is_last)
{
	struct profile reading = { 0 };
	int err = fold_read(trace->recorder, trace->learner, &reading);

	reading.functions = library_setup_functions(&trace->library);
	library_setup_read_cost(&trace->library, &reading.cost);
	if (!err && trace->options->report.stream)
		err = report_live(trace, &reading, is_last);
	else if (!err)
		err = report_interval(trace, &reading);
	if (err)
		log_error("cannot report what was recorded: %s", strerror(-err));
	profile_clear(&trace->last_reading);
	trace->last_reading = reading;
	return err;
}

/* At the end of an interval. That nobody can read the report ends the recording. */
static int report_meanwhile(struct trace *trace)
{
	int err = report_next(trace, false);

	return err ?: report_output_flush(&trace->output);
}

static int take_meanwhile(struct trace *trace)
{
	int err = chain_feed_take(&trace->feed, trace->recorder, trace->learner);

	if (err)
		log_error("cannot take what was recorded so far: %s", strerror(-err));
	return err;
}

static int follow_target(struct trace *trace)
{
	uint64_t next_ns = 0;
	int err = library_setup_follow(&trace->library, &next_ns);

	return err ?: ending_follow_at(&trace->ending, next_ns);
}

/* Waits for the recording's end. Targets that come later are found by their events or, at last, here. */
static int wait_for_end(struct trace *trace)
{
	const struct options *options = trace->options;
	const struct ending_clocks clocks = {
		.duration_ns = options->duration_ns,
		.interval_ns = options->interval_ns,
		.take_ns = options->report.parts & REPORT_GRAPH ? CHAIN_FEED_PERIOD_NS : 0,
		.govern_ns = library_setup_period_ns(&trace->library),
		.search_ns = target_setup_grows(&options->target) ? SEARCH_PERIOD_NS : 0,
	};
	int event = ending_start(&trace->ending, &clocks);

	ending_watch_alert(&trace->ending, library_setup_alert_fd(&trace->library));
	ending_watch_changes(&trace->ending, library_setup_follow_fd(&trace->library));
	while (event >= 0) {
		event = ending_wait(&trace->ending);
		if (event == ENDING_REACHED)
			return 0;
		if (event == ENDING_SEARCH && recorder_find_threads(trace->recorder) < 0)
			return -EIO;
		if (event == ENDING_INTERVAL && report_meanwhile(trace))
			return -EIO;
		if (event == ENDING_TAKE && take_meanwhile(trace))
			return -EIO;
		if (event == ENDING_FOLLOW && follow_target(trace))
			return -EIO;
		if (event == ENDING_GOVERN && library_setup_govern(&trace->library))
			return -EIO;
	}
	log_error("cannot wait for the recording's end: %s", strerror(-event));
	return event;
}

/* Records until the end and reports. Returns 0 or the exit status of a failure. */
static int record_and_report(struct trace *trace)
{
	if (wait_for_end(trace))
		return STATUS_FAILED;
	recorder_stop(trace->recorder);
	library_setup_detach(&trace->library);
	return report_next(trace, true) ? STATUS_FAILED : 0;
}

static int trace_running(struct trace *trace)
{
	const struct target_options *target = &trace->options->target;

	if (target_setup_watch(target, &trace->ending) || open_recorder(trace) ||
	    target_setup_find(target, trace->recorder) ||
	    library_setup_attach(&trace->library, trace->options, trace->recorder, 0) ||
	    start_recorder(trace))
		return STATUS_FAILED;
	announce(trace);
	return record_and_report(trace);
}

static int explain_command_error(const char *name, int err)
{
	if (err == -ENOENT) {
		log_error("command not found: '%s'", name);
		return STATUS_NOT_FOUND;
	}
	log_error("cannot execute '%s': %s", name, strerror(-err));
	return STATUS_NOT_EXECUTABLE;
}

static int trace_released_command(struct trace *trace)
{
	int err, status;

	announce(trace);
	err = command_release(&trace->command);
	if (err)
		return explain_command_error(trace->options->target.command[0], err);
	status = record_and_report(trace);
	if (status)
		return status;
	/* It may outlive the recording. What was recorded is to be read at once. */
	report_output_flush(&trace->output);
	err = ending_wait_command(&trace->ending);
	if (err)
		log_error("cannot wait for the command: %s", strerror(-err));
	status = err ? err : command_wait(&trace->command);
	return status < 0 ? STATUS_FAILED : status;
}

static int trace_command(struct trace *trace)
{
	struct command *command = &trace->command;
	char **argv = trace->options->target.command;
	int err;

	if (open_recorder(trace))
		return STATUS_FAILED;
	err = command_fork(command, argv, &trace->ending.mask_before);
	if (err)
		return explain_command_error(argv[0], err);
	err = ending_watch_command(&trace->ending, command->pid);
	if (err)
		log_error("cannot watch the command: %s", strerror(-err));
	/* On a failure the child sees the end of its pipe when we exit, and exits too. */
	if (err || recorder_add_id(trace->recorder, command->pid, SCALER_BEGIN_AT_EXEC) ||
	    recorder_find_threads(trace->recorder) < 0 ||
	    library_setup_attach(&trace->library, trace->options, trace->recorder, command->pid) ||
	    start_recorder(trace))
		return STATUS_FAILED;
	return trace_released_command(trace);
}

int cmd_trace(const struct options *options)
{
	struct trace trace = { .options = options };
	int err, status;

	err = ending_open(&trace.ending);
	if (err) {
		log_error("cannot set up signals: %s", strerror(-err));
		return STATUS_FAILED;
	}
	if (open_output(&trace))
		return STATUS_FAILED;
	live_begin(&trace.live, options->format, trace.output.file);
	chain_feed_begin(&trace.feed, &options->report);
	status = options->target.command ? trace_command(&trace) : trace_running(&trace);
	if (report_output_close(&trace.output))
		status = STATUS_FAILED;
	profile_clear(&trace.last_reading);
	places_clear(&trace.places);
	chain_feed_clear(&trace.feed);
	ending_close(&trace.ending);
	learner_stop(trace.learner);
	library_setup_clear(&trace.library);
	recorder_close(trace.recorder);
	return status;
}
