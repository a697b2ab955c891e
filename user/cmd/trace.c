// SPDX-License-Identifier: GPL-2.0-only
/* "scaler-bpf [TARGET]" and "scaler-bpf -- COMMAND": record, then report. */
#include "cmd/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/priority.h"
#include "base/privileges.h"
#include "base/status_line.h"
#include "cmd/library_setup.h"
#include "cmd/progress.h"
#include "cmd/reporting.h"
#include "cmd/target_setup.h"
#include "control/control_channel.h"
#include "control/ending.h"
#include "model/syscalls.h"
#include "parser/parser.h"
#include "plan/map_choice.h"
#include "probe/features.h"
#include "probe/recorder.h"
#include "stream/fold.h"
#include "target/command.h"

#define STATUS_FAILED         1
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND      127

#define SEARCH_PERIOD_NS 1000000000

struct trace {
	const struct options *options;
	struct reporting reporting;
	struct recorder *recorder;
	struct scaler_stack_depth depth;
	struct library_setup library;
	struct event_reader *reader; /* NULL: no stacks, samples and blocking intervals are recorded */
	struct ending ending;
	struct command command;
	struct control_channel control;
	struct announcement announcement;
	struct progress progress;
	bool is_stopped; /* by a command of it, which is not yet acknowledged */
	struct utsname machine;
	char *command_line; /* owned: the traced command's; NULL: there is none */
};

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
			 "system calls are attributed to the code that issued them");
		return 0;
	}
	log_error("%s needs stacks, and this kernel and machine cannot walk them: use Linux 5.17 or later on "
		  "x86-64",
		  options->needs_stacks);
	return -1;
}

static int check_paths(const struct options *options)
{
	if (!options->records_paths || features_have(FEATURE_FIND_VMA))
		return 0;
	log_error("--paths needs a kernel that can follow a file's folders: use Linux 5.17 or later");
	return -1;
}

static void choose_map_sizes(const struct trace *trace, uint32_t rows[RECORDER_MAP_COUNT])
{
	const struct map_needs needs = {
		.threads = target_setup_count_threads(&trace->options->target),
		.functions = library_setup_capacity(&trace->library),
		.cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN),
		.memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
	};

	memcpy(rows, trace->options->map_rows, sizeof(trace->options->map_rows));
	map_choice_fill(rows, &needs);
}

static int open_recorder(struct trace *trace)
{
	const struct options *options = trace->options;
	struct recorder_knobs knobs = {
		.records_calls = !options->no_syscalls,
		.records_blocking = options->records_blocking,
		.records_paths = options->records_paths,
		.records_delays = options->records & REPORT_GRAPH,
		/* What shorter ones explain of others is in the graph alone. */
		.blocking_least_ns = options->records & REPORT_GRAPH ? 0 : options->report.filter.least_ns,
		.read_while_recording = options->interval_ns || options->control || options->save,
		.filters_calls = options->filter,
		.no_templates = options->no_templates,
		.frequency = options->frequency,
		.needs_samples = options->needs_samples,
		.overhead = options->overhead,
	};

	if (choose_depth(trace) || check_paths(options) ||
	    target_setup_describe(&options->target, &knobs.target) ||
	    library_setup_plan(&trace->library, options))
		return -1;
	knobs.depth = trace->depth;
	knobs.function_count = library_setup_capacity(&trace->library);
	knobs.follows_processes = trace->library.follows;
	knobs.times_library_calls = knobs.function_count && !options->counts_only;
	choose_map_sizes(trace, knobs.map_rows);
	for (unsigned int i = 0; i < SCALER_CALL_NUMBERS; i++) {
		const struct syscall_info *info = syscall_find_abi(SCALER_ABI_NATIVE, i);

		knobs.first_arguments[i] = info ? info->first_argument : SCALER_FIRST_OTHER;
	}
	if (options->filter)
		memcpy(knobs.filter_records, options->filter->records, sizeof(knobs.filter_records));
	return recorder_open(&trace->recorder, &knobs);
}

/* Not before a command is forked: the child of a process with threads may do little. */
static int start_reader(struct trace *trace)
{
	const struct target_options *target = &trace->options->target;
	const struct event_watch watch = { trace->progress.is_shown ? progress_take : NULL,
					   &trace->progress };
	int err = 0;

	if (trace->depth.frames || recorder_frequency(trace->recorder) || trace->options->records_blocking)
		err = event_reader_start(&trace->reader, trace->recorder, trace->depth, &watch,
					 ending_signal_fd(&trace->ending));
	if (err)
		log_error("cannot follow the kernel's events: %s", strerror(-err));
	for (size_t i = 0; trace->reader && target->kind == SCALER_TARGET_PROCESSES && i < target->id_count;
	     i++)
		event_reader_meet_process(trace->reader, target->ids[i]);
	trace->reporting.recorder = trace->recorder;
	trace->reporting.reader = trace->reader;
	trace->reporting.symbolizer.held = event_reader_files(trace->reader);
	trace->reporting.library = &trace->library;
	return err;
}

static unsigned int what_is_recorded(const struct trace *trace)
{
	const struct options *options = trace->options;
	const struct scaler_stack_depth *depth = &trace->depth;

	return (options->no_syscalls ? 0 : RECORDED_CALLS) | (depth->frames ? RECORDED_STACKS : 0) |
	       (depth->frames && !depth->to_application ? RECORDED_CALLERS : 0) |
	       (recorder_frequency(trace->recorder) ? RECORDED_SAMPLES : 0) |
	       (options->probes ? RECORDED_PROBES : 0) |
	       (options->records_blocking ? RECORDED_INTERVALS | RECORDED_LIST | RECORDED_TREE : 0) |
	       (options->records & REPORT_GRAPH ? RECORDED_GRAPH : 0) |
	       (target_setup_is_everything(&options->target) ? RECORDED_SYSTEM : 0) |
	       (options->control ? RECORDED_MARKS : 0);
}

/* Of all of it. The texts stay. */
static void describe_recording(struct trace *trace)
{
	const struct options *options = trace->options;
	const struct target_options *target = &options->target;
	pid_t process = trace->command.pid ?: target->id_count ? target->ids[0] : 0;

	uname(&trace->machine);
	trace->reporting.recording = (struct recording){
		.recorded = what_is_recorded(trace),
		.machine = RECORDING_MACHINE,
		.cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN),
		.frequency = recorder_frequency(trace->recorder),
		.process = (unsigned int)process,
		.syscalls = options->report.syscalls,
		.host = trace->machine.nodename,
		.kernel = trace->machine.release,
		.version = SCALER_VERSION,
		.command_line = trace->command_line,
	};
}

static void give_up_privileges(void)
{
	int err = privileges_reduce();

	privileges_hide_memory();
	if (err)
		log_note("the tracer keeps all its capabilities, as it cannot give them up: %s",
			 strerror(-err));
}

/* Everything is in place; from here on it is recorded, or may be enabled at any time. */
static int begin(struct trace *trace)
{
	const struct options *options = trace->options;

	give_up_privileges();
	if (start_reader(trace))
		return -1;
	describe_recording(trace);
	if (reporting_begin(&trace->reporting))
		return -1;
	if (!options->delays) {
		recorder_start(trace->recorder);
		trace->reporting.is_recording = true;
	}
	if (announcement_make(&trace->announcement))
		return -1;
	if (trace->progress.is_shown)
		progress_show(&trace->progress, trace->recorder, trace->reporting.is_recording);
	else if (isatty(STDERR_FILENO) && !options->target.command)
		log_note(options->delays ? "ready; Ctrl-C ends it" : "recording; Ctrl-C ends it");
	return 0;
}

static int enable(struct trace *trace, const char **reason)
{
	*reason = NULL;
	if (trace->reporting.is_recording)
		return reporting_go_on(&trace->reporting, reason);
	recorder_start(trace->recorder);
	trace->reporting.is_recording = true;
	return 0;
}

static int mark(struct reporting *reporting, enum mark_kind kind, char *name, const char **reason)
{
	const struct mark mark = { kind, clock_now_ns(), name };

	return reporting_mark(reporting, &mark, reason);
}

/* *reason: why it could not be done; NULL: it was. Returns 0, or a negative errno after an error message. */
static int obey(struct trace *trace, struct control_command *command, const char **reason)
{
	struct reporting *reporting = &trace->reporting;

	*reason = NULL;
	switch (command->verb) {
	case CONTROL_ENABLE:
		return enable(trace, reason);
	case CONTROL_DISABLE:
		return reporting->is_recording ? reporting_pause(reporting, reason) : 0;
	case CONTROL_SNAPSHOT:
		if (!trace->options->report.parts)
			*reason = "record prints no reports";
		return *reason ? 0 : reporting_make(reporting);
	case CONTROL_MARK:
		return mark(reporting, MARK_MOMENT, command->text, reason);
	case CONTROL_MARK_BEGIN:
		return mark(reporting, MARK_BEGIN, command->text, reason);
	case CONTROL_MARK_END:
		return mark(reporting, MARK_END, command->text, reason);
	case CONTROL_SAVE:
		return reporting_save(reporting, *command->text ? command->text : NULL, reason);
	case CONTROL_UNKNOWN:
		*reason =
			"unknown command; there are enable, disable, ping, stop, snapshot, save [FILE], mark "
			"[BEGIN|END] NAME";
		return 0;
	case CONTROL_TOO_LONG:
		*reason = "the command is too long";
		return 0;
	case CONTROL_PING:
	case CONTROL_STOP:
		break;
	}
	return 0;
}

/* Obeys what has arrived. Returns 0, 1 to end the recording, or a negative errno. */
static int take_commands(struct trace *trace)
{
	struct control_command command;
	const char *reason;
	int err = control_channel_read(&trace->control);

	if (err)
		log_error("cannot read commands of --control: %s", strerror(-err));
	while (!err && control_text_take(&trace->control.text, &command)) {
		/* It is acknowledged when the report is written. */
		if (command.verb == CONTROL_STOP)
			return trace->is_stopped = true;
		err = obey(trace, &command, &reason);
		if (!err)
			control_channel_acknowledge(&trace->control, reason);
	}
	ending_watch_control(&trace->ending, trace->control.fd);
	return err;
}

static int follow_target(struct trace *trace)
{
	uint64_t next_ns = 0;
	int err = library_setup_follow(&trace->library, &next_ns);

	return err ?: ending_follow_at(&trace->ending, next_ns);
}

static int govern(struct trace *trace)
{
	uint64_t next_ns = 0;
	int err = library_setup_govern(&trace->library, &next_ns);

	return err ?: ending_govern_at(&trace->ending, next_ns);
}

/* Returns 0 to go on, 1 at the recording's end, or a negative errno. */
static int attend(struct trace *trace, enum ending_event event)
{
	const char *reason;

	switch (event) {
	case ENDING_REACHED:
		return 1;
	case ENDING_SEARCH:
		return recorder_find_threads(trace->recorder) < 0 ? -EIO : 0;
	case ENDING_INTERVAL:
		return trace->options->save ? reporting_cut(&trace->reporting) :
					      reporting_make(&trace->reporting);
	case ENDING_SAVE:
		return reporting_save(&trace->reporting, NULL, &reason);
	case ENDING_TAKE:
		return reporting_take(&trace->reporting);
	case ENDING_FOLLOW:
		return follow_target(trace);
	case ENDING_ROOM:
		return reporting_make_room(&trace->reporting);
	case ENDING_GOVERN:
		return govern(trace);
	case ENDING_ENABLE:
		return enable(trace, &reason);
	case ENDING_CONTROL:
		return take_commands(trace);
	case ENDING_PROGRESS:
		progress_show(&trace->progress, trace->recorder, trace->reporting.is_recording);
		return 0;
	}
	return 0;
}

/* Waits for the recording's end. Targets that come later are found by their events or, at last, here. */
static int wait_for_end(struct trace *trace)
{
	const struct options *options = trace->options;
	const struct ending_clocks clocks = {
		.duration_ns = options->duration_ns,
		.interval_ns = options->save ? REPORTING_CUT_NS : options->interval_ns,
		.take_ns = options->report.parts & REPORT_GRAPH && !options->save ? CHAIN_FEED_PERIOD_NS : 0,
		.govern_ns = library_setup_govern_in_ns(&trace->library),
		.room_ns = FOLD_ROOM_PERIOD_NS,
		.search_ns = target_setup_grows(&options->target) ? SEARCH_PERIOD_NS : 0,
		.progress_ns = trace->progress.is_shown ? PROGRESS_PERIOD_NS : 0,
		.enable_ns = options->delay_ns,
	};
	int event = ending_start(&trace->ending, &clocks), state = 0;
	/* What ended threads have left fills maps, and what is new has no probes, until this thread runs. */
	int nice_value = priority_raise();

	ending_watch_alert(&trace->ending, library_setup_alert_fd(&trace->library));
	ending_watch_changes(&trace->ending, library_setup_follow_fd(&trace->library));
	ending_watch_control(&trace->ending, trace->control.fd);
	while (event >= 0 && !state) {
		event = ending_wait(&trace->ending);
		if (event >= 0)
			state = attend(trace, event);
	}
	priority_restore(nice_value);
	if (event < 0)
		log_error("cannot wait for the recording's end: %s", strerror(-event));
	return event < 0 ? event : state < 0 ? state : 0;
}

/* Records until the end and reports. Returns 0 or the exit status of a failure. */
static int record_and_report(struct trace *trace)
{
	const struct options *options = trace->options;
	int err = wait_for_end(trace);

	if (trace->reporting.is_recording)
		recorder_stop(trace->recorder);
	library_setup_detach(&trace->library);
	if (err)
		return STATUS_FAILED;
	/* A command that has ended writes no more. */
	if (trace->command.pid && !trace->ending.watched)
		status_line_begin();
	err = reporting_make_last(&trace->reporting);
	if (!err && !options->report.parts)
		reporting_say_saved(&trace->reporting);
	if (trace->is_stopped) {
		report_output_flush(&trace->reporting.presenter.output);
		library_setup_close(&trace->library);
		control_channel_acknowledge(&trace->control, err ? "cannot report what was recorded" : NULL);
	}
	return err ? STATUS_FAILED : 0;
}

static int trace_running(struct trace *trace)
{
	const struct target_options *target = &trace->options->target;

	if (target_setup_watch(target, &trace->ending) || open_recorder(trace) ||
	    target_setup_find(target, trace->recorder) ||
	    library_setup_attach(&trace->library, trace->options, trace->recorder, 0) || begin(trace))
		return STATUS_FAILED;
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
	int err, failed, status;

	err = command_release(&trace->command);
	if (err)
		return explain_command_error(trace->options->target.command[0], err);
	failed = record_and_report(trace);
	/* It may outlive the recording. What was recorded is to be read at once. */
	report_output_flush(&trace->reporting.presenter.output);
	err = ending_wait_command(&trace->ending);
	if (err)
		log_error("cannot wait for the command: %s", strerror(-err));
	status = err ? err : command_wait(&trace->command);
	return failed ?: status < 0 ? STATUS_FAILED : status;
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
	    begin(trace))
		return STATUS_FAILED;
	return trace_released_command(trace);
}

int cmd_trace(const struct options *options)
{
	struct trace trace = { .options = options, .announcement = options->announcement };
	int err, status;

	err = ending_open(&trace.ending, options->keep.ns || options->keep.bytes);
	if (err)
		log_error("cannot set up signals: %s", strerror(-err));
	else
		parser_shared_stop_by(ending_signal_fd(&trace.ending));
	if (err || reporting_open(&trace.reporting, options, ending_signal_fd(&trace.ending))) {
		ending_close(&trace.ending);
		return STATUS_FAILED;
	}
	progress_begin(&trace.progress, options);
	status = control_channel_open(&trace.control, options->control) ? STATUS_FAILED :
		 options->target.command                                ? trace_command(&trace) :
									  trace_running(&trace);
	progress_end(&trace.progress);
	if (reporting_close(&trace.reporting))
		status = STATUS_FAILED;
	event_reader_stop(trace.reader);
	parser_shared_end();
	ending_close(&trace.ending);
	library_setup_clear(&trace.library);
	free(trace.command_line);
	recorder_close(trace.recorder);
	announcement_withdraw(&trace.announcement);
	control_channel_close(&trace.control);
	return status;
}
