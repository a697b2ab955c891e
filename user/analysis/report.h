/* SPDX-License-Identifier: GPL-2.0-only */
/* All that a renderer shows of one recording. */
#ifndef SCALER_ANALYSIS_REPORT_H
#define SCALER_ANALYSIS_REPORT_H

#include "analysis/blocking_report.h"
#include "analysis/bottleneck_report.h"
#include "analysis/call_summary.h"
#include "analysis/call_tree.h"
#include "analysis/chain_builder.h"
#include "analysis/chain_report.h"
#include "analysis/component_summary.h"
#include "analysis/cpu_summary.h"
#include "analysis/cross_flow.h"
#include "analysis/function_summary.h"
#include "analysis/latency_summary.h"
#include "analysis/library_summary.h"
#include "analysis/library_syscalls.h"
#include "analysis/lock_summary.h"
#include "analysis/outside.h"
#include "analysis/path_report.h"
#include "model/places.h"
#include "analysis/report_options.h"
#include "analysis/summary.h"
#include "analysis/thread_summary.h"
#include "analysis/wait_summary.h"
#include "model/regions.h"

struct report {
	struct report_options options;
	struct scaler_window window;
	uint64_t paused_ns;          /* of the window: when nothing counted */
	uint64_t recording_start_ns; /* of the whole recording, of which this may be an interval */
	const struct region *
		region; /* that it is of; NULL: of all; the caller sets this and the next, which are not owned */
	const struct regions *marks; /* whose moments are the recording's; NULL: there are none */
	int64_t wall_clock_ns;       /* CLOCK_REALTIME less CLOCK_MONOTONIC */
	const struct places *places; /* not owned */
	struct outside outside;
	struct component_summary components;
	struct function_summary functions;
	struct cpu_summary cpu;
	struct library_summary library;
	struct library_syscalls library_syscalls;
	struct cross_flow flow;
	struct thread_summary threads;
	struct latency_summary latency;
	struct call_summary calls;
	struct blocking_report blocking;
	struct wait_summary waits;
	struct lock_summary locks;
	struct wait_graph graph; /* empty if nothing made from it is asked for, as are the next */
	struct chain_report chains;
	struct bottleneck_report bottlenecks;
	struct path_report path;
	struct call_tree tree; /* empty if it is not asked for, as is the next */
	struct summary summary;
	struct runs_table runs; /* of what is made from chains; else empty */
	unsigned int cpus;      /* of the machine */
	uint64_t losses[SCALER_LOSS_COUNTERS];
	size_t stacks;                /* different ones */
	size_t unsure_stacks;         /* of them: some callers may be missing */
	const char *symbols_given_up; /* which source of symbols was; NULL: none */
	struct tracer_cost cost;
	struct sampled_frame sampled;
	struct sampled_frame library_sampled;
};

/*
 * The profile, which is sorted, the places, which have all of its own, and the builder, which has been told of it and
 * of all that came before, must outlive the report; NULL for a builder will do where nothing is asked for that is
 * made of chains. Returns 0 or -ENOMEM; the caller clears the report in both cases.
 */
int report_make(struct profile *profile, const struct places *places, const struct report_options *options,
		struct chain_builder *builder, struct report *report);
/* As report_make(), of a reading of the whole recording: what of its blocking intervals is in a stream, and no more. */
int report_make_stream(struct profile *profile, const struct places *places,
		       const struct report_options *options, struct report *report);
void report_clear(struct report *report);

/* Of the window: when it counted. */
static inline uint64_t report_recorded_ns(const struct report *report)
{
	return report->window.end_ns - report->window.start_ns - report->paused_ns;
}

/* Whether the thread's top function is known, as far as functions are: where stacks are walked for them. */
static inline bool report_has_top_function(const struct report *report, const struct thread_row *row)
{
	return report->options.parts & REPORT_FUNCTIONS && row->top_path_ns;
}

#endif
