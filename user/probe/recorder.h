/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel side's life: loaded, told whom to trace, attached, recording, stopped. Reports its own
 * errors, one line each; functions return 0 or a negative errno.
 */
#ifndef SCALER_PROBE_RECORDER_H
#define SCALER_PROBE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <scaler/call_window.h>
#include <scaler/code_range.h>
#include <scaler/cost.h>
#include <scaler/record.h>
#include <scaler/target.h>
#include <scaler/thread.h>

#include "plan/map_choice.h"
#include "probe/library_kernel.h"

struct recorder;

struct recorder_knobs {
	struct scaler_target target;
	bool records_calls;
	bool records_blocking;      /* each blocking interval, as an event */
	bool records_paths;         /* of the files that threads are blocked on */
	bool records_delays;        /* and each wait for a CPU before which a thread was not blocked */
	uint64_t blocking_least_ns; /* shorter intervals are counted only */
	struct scaler_stack_depth
		depth;          /* of each call's stack; if it is walked there are events, to be followed */
	unsigned int frequency; /* of CPU samples, a second and CPU; 0: none; they are events too */
	bool needs_samples;     /* they must be possible */
	bool no_templates;      /* every stack is walked anew, which finds the same */
	bool read_while_recording; /* may be read before recorder_stop() too */
	bool filters_calls;        /* records only those of the next, by table and number */
	uint8_t filter_records[SCALER_ABI_COUNT][SCALER_CALL_NUMBERS];
	size_t function_count; /* of the library functions whose calls are recorded, numbered from 1 */
	bool times_library_calls;
	bool follows_processes; /* tells which processes may have other code than they had */
	double overhead; /* what may be taken, as a share of what the program runs itself; 0: no limit */
	uint32_t map_rows[RECORDER_MAP_COUNT];        /* 0: the default */
	uint8_t first_arguments[SCALER_CALL_NUMBERS]; /* by native call number: enum scaler_first_argument */
};

/* Loads and attaches everything; nothing is recorded yet. */
int recorder_open(struct recorder **recorder, const struct recorder_knobs *knobs);

/* Of its CPU samples; 0: it takes none. */
unsigned int recorder_frequency(const struct recorder *recorder);

/* Adds a process or thread, as the target's kind says, to those to be traced. */
int recorder_add_id(struct recorder *recorder, pid_t id, enum scaler_target_begin begin);

/* Finds the threads of the target, and returns their number or a negative errno. */
int recorder_find_threads(struct recorder *recorder);

/* Returns once the recording has begun. */
void recorder_start(struct recorder *recorder);

/* Ends the recording; what was recorded stays readable. */
void recorder_stop(struct recorder *recorder);

/*
 * Finds where those calls were issued that threads were in when they were found, and still are; and what these wait
 * on. Their stacks come as events, which somebody must take. Returns 0 or a negative errno.
 */
int recorder_place_sleepers(const struct recorder *recorder);

/* After recorder_stop(): cuts the library calls short that are still open. Returns 0 or a negative errno. */
int recorder_close_library_calls(const struct recorder *recorder);

/* Has the mappings of a process told as an event, if they have not been. Returns 0 or a negative errno. */
int recorder_describe_process(const struct recorder *recorder, pid_t pid);

/* The window; it is open at its end while the recording goes on. */
struct scaler_window recorder_window(const struct recorder *recorder);

/*
 * Reading what was recorded. Returns the window with the number of this reading; it is open at its end while the
 * recording goes on. What threads keep for one reading is for the next one from here on.
 */
struct scaler_window recorder_begin_reading(const struct recorder *recorder);
/* Opens an array of struct scaler_thread, finished, to be read once; read() may fail with EAGAIN. */
int recorder_living_threads_open(const struct recorder *recorder);
/* The same of struct scaler_blocking_interval: those that threads are in; -ENOENT: none are recorded. */
int recorder_blocked_open(const struct recorder *recorder);
/*
 * The near rows: in use where key.task is not 0. One that nobody writes any more, because its thread has exited,
 * may be given back to be used anew.
 */
const struct scaler_call_row *recorder_near_rows(const struct recorder *recorder, size_t *count);
void recorder_free_near_row(const struct recorder *recorder, size_t index);
/* How many rows the maps that hold those of threads have, and can have. */
struct recorder_rows {
	uint64_t held[SCALER_ROWS_COUNT];
	uint32_t capacity[SCALER_ROWS_COUNT];
	uint32_t living; /* threads that are followed now */
};
struct recorder_rows recorder_rows(const struct recorder *recorder);
/* So many were deleted from a map by the caller. */
void recorder_count_taken(const struct recorder *recorder, enum scaler_rows map, uint64_t count);
/* Maps, by their descriptors. */
int recorder_exited_thread_fd(const struct recorder *recorder);
int recorder_call_fold_fd(const struct recorder *recorder);
int recorder_error_fold_fd(const struct recorder *recorder);
int recorder_component_fd(const struct recorder *recorder);
int recorder_context_fd(const struct recorder *recorder);
int recorder_socket_fd(const struct recorder *recorder);
int recorder_path_fd(const struct recorder *recorder);
int recorder_rule_fd(const struct recorder *recorder);
int recorder_known_code_fd(const struct recorder *recorder);
/* The ring buffer of event.h. */
int recorder_event_fd(const struct recorder *recorder);
uint64_t recorder_losses(const struct recorder *recorder, enum scaler_loss cause);

/* What the tracer itself takes: CPU time since recorder_start(), and memory in the kernel. */
uint64_t recorder_cpu_ns(const struct recorder *recorder);
uint64_t recorder_kernel_bytes(const struct recorder *recorder);

/* What it takes from the traced threads, since recorder_start() and up to recorder_stop(). */
struct scaler_spending recorder_spending(const struct recorder *recorder);
/* The same of how system calls were recorded. */
struct scaler_sampling recorder_sampling(const struct recorder *recorder);

/* NULL: no library calls are recorded. */
const struct library_kernel *recorder_library(const struct recorder *recorder);

void recorder_close(struct recorder *recorder);

#endif
