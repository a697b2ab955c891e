// SPDX-License-Identifier: GPL-2.0-only
/* All that a renderer shows of one recording. */
#include "analysis/report.h"

#include <string.h>
#include <unistd.h>

#include "analysis/chain_choice.h"
#include "analysis/path_parts.h"
#include "analysis/probed_functions.h"
#include "analysis/thread_functions.h"
#include "target/symbol_search.h"

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
		.symbols_given_up = places->search ? places->search->given_up : NULL,
		.cost = profile->cost,
		.cpus = sysconf(_SC_NPROCESSORS_ONLN),
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

static int make_graph(struct profile *profile, const struct places *places,
		      const struct report_options *options, struct chain_builder *builder,
		      struct report *report)
{
	int err = chain_builder_explain(builder, &profile->window, UINT64_MAX);

	err = err ?: wait_graph_make(profile, places, &builder->history, &report->graph);
	if (!err && options->parts & REPORT_TREES) {
		report->blocking.left_out =
			builder->left_out +
			chain_choose_functions(&report->graph, &options->filter.functions, &builder->tree);
		err = chain_report_make(&report->graph, &builder->tree, options, &report->chains);
	}
	if (!err && options->parts & REPORT_BOTTLENECKS)
		err = bottleneck_report_make(&report->graph, &builder->tree, &report->bottlenecks);
	if (!err && options->parts & REPORT_PATH)
		err = path_report_make(&report->graph, &options->path, &report->path);
	return err;
}

static int make_summary(const struct path_parts *parts, const struct places *places, struct report *report)
{
	const struct summary_sources sources = {
		.threads = &report->threads,
		.functions = &report->functions,
		.parts = parts,
		.places = places,
		.runs = &report->runs,
		.chains = report->options.parts & REPORT_SUMMARY_WAITS ? &report->chains : NULL,
	};

	return report->options.parts & REPORT_SUMMARY ? summary_make(&sources, &report->summary) : 0;
}

/* What is by functions that stacks have told of; the library's summary, the threads' and the chains are made. */
static int make_functions(struct profile *profile, const struct places *places,
			  const struct report_options *options, struct report *report)
{
	enum sort_key sort = sort_key_for(options, REPORT_FUNCTIONS);
	struct path_parts parts = { 0 };
	int err = path_parts_list(profile, places, &report->outside, &parts);

	if (!err)
		err = function_summary_make(&parts, places, &report->outside, sort, &report->functions);
	if (!err)
		err = thread_functions_find(&parts, places, &report->threads);
	if (!err)
		err = probed_functions_find(&report->library, places, &report->functions);
	if (!err && options->parts & (REPORT_SUMMARY | REPORT_GRAPH))
		err = runs_table_of_threads(&report->threads, &parts, places, &report->runs);
	if (!err)
		err = make_summary(&parts, places, report);
	path_parts_clear(&parts);
	return err;
}

int report_make(struct profile *profile, const struct places *places, const struct report_options *options,
		struct chain_builder *builder, struct report *report)
{
	int err;

	report_begin(profile, places, options, report);
	err = thread_summary_make(profile, sort_key_for(options, REPORT_THREADS), &report->threads);
	if (!err)
		err = latency_summary_make(&report->threads, sort_key_for(options, REPORT_LATENCY),
					   &report->latency);
	if (!err)
		err = call_summary_make(profile, places, sort_key_for(options, REPORT_CALLS), &report->calls);
	if (!err)
		err = outside_make(profile, &report->threads.total, &report->outside);
	if (!err)
		err = component_summary_make(profile, places, &report->outside, options, &report->components);
	if (!err)
		err = cpu_summary_make(profile, places, report->threads.total.time_ns[SCALER_RUNNING],
				       sort_key_for(options, REPORT_CPU), &report->cpu);
	if (!err)
		err = library_summary_make(profile, places, sort_key_for(options, REPORT_LIBRARY),
					   &report->library);
	if (!err)
		err = library_syscalls_make(profile, sort_key_for(options, REPORT_LIBRARY),
					    &report->library_syscalls);
	if (!err)
		err = cross_flow_make(profile, places, sort_key_for(options, REPORT_FLOW), &report->flow);
	if (!err)
		err = blocking_report_make(profile, places, options, &report->blocking);
	if (!err)
		err = wait_summary_make(&report->blocking, sort_key_for(options, REPORT_WAITS),
					&report->waits);
	if (!err)
		err = lock_summary_make(&report->blocking, &profile->window,
					sort_key_for(options, REPORT_LOCKS), &report->locks);
	if (!err && options->parts & REPORT_GRAPH)
		err = make_graph(profile, places, options, builder, report);
	if (!err)
		err = make_functions(profile, places, options, report);
	if (!err && options->parts & REPORT_TREE)
		err = call_tree_make(profile, places, &report->outside, sort_key_for(options, REPORT_TREE),
				     &report->tree);
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
