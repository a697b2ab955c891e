// SPDX-License-Identifier: GPL-2.0-only
/* All that a renderer shows of one recording. */
#include "analysis/report.h"

#include <string.h>

#include "analysis/chain_choice.h"
#include "analysis/path_parts.h"
#include "analysis/probed_functions.h"
#include "analysis/thread_functions.h"

static void report_begin(const struct profile *profile, const struct places *places,
			 const struct report_options *options, struct report *report)
{
	*report = (struct report){
		.options = *options,
		.window = profile->window,
		.paused_ns = profile->paused_ns,
		.recording_start_ns = profile->recording_start_ns,
		.wall_clock_ns = profile->wall_clock_ns,
		.places = places,
		.stacks = profile->stacks.count,
		.unsure_stacks = stacks_count_unsure(&profile->stacks),
		.symbols_given_up = places->given_up,
		.cost = profile->cost,
		.cpus = options->cpus,
		.sampled = sampled_frame_make(profile),
		.library_sampled = sampled_frame_make_of_library(profile),
	};
	memcpy(report->losses, profile->losses, sizeof(report->losses));
}

int report_make_stream(struct profile *profile, const struct places *places,
		       const struct report_options *options, struct report *report)
{
	report_begin(profile, places, options, report);
	return blocking_report_make(profile, places, options, &report->blocking);
}

/* A report under way. */
struct making {
	struct profile *profile;
	const struct places *places;
	struct chain_builder *builder;
	struct report *report;
	const struct report_options *options; /* the report's */
	struct path_parts parts; /* where threads were, by stacks; empty if nothing is made of it */
};

static bool is_asked(const struct making *making, unsigned int parts)
{
	return making->options->parts & parts;
}

static enum sort_key sort_of(const struct making *making, enum report_part_id part)
{
	return sort_key_for(making->options, part);
}

/* Who waited for whom, and of what each wait was made. */
static int make_graph(struct making *making)
{
	struct report *report = making->report;
	struct chain_tree *tree = &making->builder->tree;
	int err = chain_builder_explain(making->builder, &making->profile->window, UINT64_MAX);

	err = err   ?:
		      wait_graph_make(making->profile, making->places, &making->builder->history,
				      &report->graph);
	if (err || !is_asked(making, REPORT_TREES))
		return err;
	report->blocking.left_out =
		making->builder->left_out +
		chain_choose_functions(&report->graph, &making->options->filter.functions, tree);
	return chain_report_make(&report->graph, tree, making->options, &report->chains);
}

/* What is by functions that stacks have told of; the library's summary and the threads' are made. */
static int make_by_function(struct making *making)
{
	struct report *report = making->report;
	struct path_parts *parts = &making->parts;
	int err = path_parts_list(making->profile, making->places, &report->outside, parts);

	if (!err && is_asked(making, REPORT_FUNCTIONS | REPORT_SUMMARY))
		err = function_summary_make(parts, making->places, &report->outside, sort_of(making, PART_FUNCTIONS), &report->functions) ?:
			      thread_functions_find(parts, making->places, &report->threads) ?:
			      probed_functions_find(&report->library, making->places, &report->functions);
	if (!err && is_asked(making, REPORT_SUMMARY | REPORT_GRAPH))
		err = runs_table_of_threads(&report->threads, parts, making->places, &report->runs);
	return err;
}

/* What parts are made from, and what the foot of every report tells of. */
static int make_sources(struct making *making)
{
	struct report *report = making->report;
	struct profile *profile = making->profile;
	int err = thread_summary_make(profile, sort_of(making, PART_THREADS), &report->threads);

	if (!err)
		err = outside_make(profile, &report->threads.total, &report->outside);
	if (!err)
		err = library_summary_make(profile, making->places, sort_of(making, PART_LIBRARY),
					   &report->library);
	if (!err && is_asked(making, REPORT_LISTS))
		err = blocking_report_make(profile, making->places, making->options, &report->blocking);
	if (!err && is_asked(making, REPORT_GRAPH))
		err = make_graph(making);
	report->blocking.left_out += profile->losses[SCALER_FILTERED_BLOCKING];
	if (!err && is_asked(making, REPORT_FUNCTIONS | REPORT_SUMMARY | REPORT_GRAPH))
		err = make_by_function(making);
	return err;
}

static int make_summary(struct making *making)
{
	struct report *report = making->report;
	const struct summary_sources sources = {
		.threads = &report->threads,
		.functions = &report->functions,
		.parts = &making->parts,
		.places = making->places,
		.runs = &report->runs,
		.chains = is_asked(making, REPORT_SUMMARY_WAITS) ? &report->chains : NULL,
	};

	return summary_make(&sources, &report->summary);
}

static int make_path(struct making *making)
{
	return path_report_make(&making->report->graph, &making->options->path, &making->report->path);
}

static int make_bottlenecks(struct making *making)
{
	return bottleneck_report_make(&making->report->graph, &making->builder->tree,
				      &making->report->bottlenecks);
}

static int make_waits(struct making *making)
{
	return wait_summary_make(&making->report->blocking, sort_of(making, PART_WAITS),
				 &making->report->waits);
}

static int make_locks(struct making *making)
{
	return lock_summary_make(&making->report->blocking, &making->profile->window,
				 sort_of(making, PART_LOCKS), &making->report->locks);
}

static int make_components(struct making *making)
{
	return component_summary_make(making->profile, making->places, &making->report->outside,
				      making->options, &making->report->components);
}

static int make_cpu(struct making *making)
{
	return cpu_summary_make(making->profile, making->places,
				making->report->threads.total.time_ns[SCALER_RUNNING],
				sort_of(making, PART_CPU), &making->report->cpu);
}

static int make_library(struct making *making)
{
	return library_syscalls_make(making->profile, sort_of(making, PART_LIBRARY),
				     &making->report->library_syscalls);
}

static int make_flow(struct making *making)
{
	return cross_flow_make(making->profile, making->places, sort_of(making, PART_FLOW),
			       &making->report->flow);
}

static int make_calls(struct making *making)
{
	return call_summary_make(making->profile, making->places, sort_of(making, PART_CALLS),
				 &making->report->calls);
}

static int make_latency(struct making *making)
{
	return latency_summary_make(&making->report->threads, sort_of(making, PART_LATENCY),
				    &making->report->latency);
}

static int make_tree(struct making *making)
{
	return call_tree_make(making->profile, making->places, &making->report->outside,
			      sort_of(making, PART_TREE), &making->report->tree);
}

/* Of those that are their sources. */
static int make_source(struct making *making)
{
	(void)making;
	return 0;
}

#define make_chains    make_source
#define make_blocking  make_source
#define make_functions make_source
#define make_threads   make_source

#define MAKE(argument, ID, functions, name, help, needs, keys) [PART_##ID] = make_##functions,

static int (*const makers[REPORT_PART_COUNT])(struct making *) = { REPORT_PARTS(MAKE, ) };

int report_make(struct profile *profile, const struct places *places, const struct report_options *options,
		struct chain_builder *builder, struct report *report)
{
	struct making making = { profile, places, builder, report, &report->options, { 0 } };
	int err;

	report_begin(profile, places, options, report);
	err = make_sources(&making);
	for (enum report_part_id part = 0; part < REPORT_PART_COUNT && !err; part++) {
		if (is_asked(&making, 1U << part))
			err = makers[part](&making);
	}
	path_parts_clear(&making.parts);
	return err;
}

void report_clear(struct report *report)
{
	summary_clear(&report->summary);
	runs_table_clear(&report->runs);
	call_tree_clear(&report->tree);
	path_report_clear(&report->path);
	bottleneck_report_clear(&report->bottlenecks);
	chain_report_clear(&report->chains);
	wait_graph_clear(&report->graph);
	lock_summary_clear(&report->locks);
	wait_summary_clear(&report->waits);
	blocking_report_clear(&report->blocking);
	cross_flow_clear(&report->flow);
	library_syscalls_clear(&report->library_syscalls);
	library_summary_clear(&report->library);
	cpu_summary_clear(&report->cpu);
	function_summary_clear(&report->functions);
	component_summary_clear(&report->components);
	outside_clear(&report->outside);
	latency_summary_clear(&report->latency);
	thread_summary_clear(&report->threads);
	call_summary_clear(&report->calls);
}
