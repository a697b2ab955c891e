/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of a recording file that are no structures of include/scaler. They grow at their ends only. A text is where it
 * begins among the strings of its payload; 0 is the empty one, TRACE_NO_TEXT none.
 */
#ifndef SCALER_TRACE_ROWS_H
#define SCALER_TRACE_ROWS_H

#include <stdint.h>

#include <scaler/call_window.h>
#include <scaler/cost.h>
#include <scaler/record.h>
#include <scaler/thread.h>

#define TRACE_NO_TEXT UINT32_MAX

/* Of the head: one; struct recording says what it means. */
struct trace_recording_row {
	uint32_t recorded;
	uint32_t machine;
	uint32_t cpus;
	uint32_t frequency;
	uint32_t process;
	uint32_t syscalls; /* texts, as are the next four */
	uint32_t host;
	uint32_t kernel;
	uint32_t version;
	uint32_t command_line;
	uint8_t boot_id[16];
};

/* Of a chunk: one. What it tells came between start_ns and end_ns. */
struct trace_cut_row {
	struct scaler_window window;
	uint64_t paused_ns;
	int64_t wall_clock_ns;
	uint64_t recording_start_ns;
	uint64_t dropped_intervals;
	uint64_t cpu_ns; /* of the tracer, as are the next three */
	uint64_t resident_bytes;
	uint64_t kernel_bytes;
	uint32_t has_probes;
	uint32_t is_last; /* the recording ended with it */
	struct scaler_spending spending;
	struct scaler_sampling sampling;
	struct scaler_sampling library_sampling;
};

/* Of a chunk: what somebody reported before it, after the chunk before. */
struct trace_mark_row {
	uint64_t time_ns;
	uint32_t kind; /* enum mark_kind */
	uint32_t text;
};

struct trace_loss_row {
	uint32_t cause; /* enum scaler_loss, or TRACE_FILTERED */
	uint32_t zero;
	uint64_t count;
};
#define TRACE_FILTERED 1000 /* intervals that were shorter than asked for */

/* Its sites follow those of the stack before it, innermost first. */
struct trace_stack_row {
	uint32_t number;
	uint32_t count;
	uint8_t end; /* enum scaler_stack_end */
	uint8_t unsure;
	uint8_t zero[6];
};

struct trace_path_row {
	uint32_t number;
	uint32_t text;
	uint32_t is_deleted;
};

/* A name of a numbered thing. */
struct trace_name_row {
	uint32_t number;
	uint32_t text;
};

/* A component as it is shown, numbered from 0 in the order of the file; all of them in each chunk that adds or changes one. */
struct trace_place_component_row {
	uint32_t name;
	uint32_t path;
	uint32_t build_id;
	uint32_t problem;
	uint32_t flags;
};
#define TRACE_COMPONENT_APPLICATION 1
#define TRACE_COMPONENT_RUNTIME     2
#define TRACE_COMPONENT_TRACER      4
#define TRACE_COMPONENT_GENERATED   8
#define TRACE_COMPONENT_MOVED       16

/* The component of that number, as sites have it. */
struct trace_place_number_row {
	uint32_t number;
	uint32_t component;
};

struct trace_place_site_row {
	uint64_t site;
	uint64_t offset;
	uint32_t component;
	uint32_t function;
};

/* What the call at a site led to in the component of that number. */
struct trace_place_call_row {
	uint64_t caller;
	uint32_t number;
	uint32_t component;
	uint32_t function; /* TRACE_NO_TEXT: nothing tells it */
	uint32_t zero;
};

/* A library function, numbered from 1; all of them in each chunk in which one has changed. */
struct trace_function_row {
	uint32_t library;
	uint32_t symbol;
	uint32_t name;
	uint32_t version;
	uint32_t omitted;
	uint32_t untimed;
	uint32_t is_sampled;
	uint32_t alias_count; /* of texts in TRACE_FUNCTION_NAMES, behind those of the function before it */
	uint64_t unhooked_ns;
	uint64_t since_ns;
};

struct trace_refused_row {
	uint32_t program;
	uint32_t library;
	uint32_t reason;
	uint32_t zero;
	uint64_t processes;
};

/* Of the end: names and chunks. */
struct trace_index_row {
	uint64_t offset; /* of a block in the file */
	uint64_t sequence;
	uint64_t from_ns;
	uint64_t to_ns;
};

#endif
