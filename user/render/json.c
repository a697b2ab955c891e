// SPDX-License-Identifier: GPL-2.0-only
/* The reports as JSON, described by include/scaler/report.schema.json. */
#include "render/renderer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "render/json_bottlenecks.h"
#include "render/json_chains.h"
#include "render/json_library.h"
#include "render/json_path.h"
#include "render/json_summary.h"
#include "render/json_tree.h"
#include "render/json_values.h"
#include "render/tables.h"

/* Takes over the value, as jansson's own _new functions do. */
static int add_part(struct renderer *renderer, const char *name, json_t *value)
{
	return json_object_set_new(renderer->state, name, value) ? -ENOMEM : 0;
}

static json_t *region_object(const struct region *region)
{
	return region ? json_pack("{s:o, s:o}", "name", json_name(region->name), "times",
				  json_number(region->times)) :
			json_null();
}

static json_t *marks_array(const struct regions *marks)
{
	json_t *array = json_array();

	for (size_t i = 0; marks && i < marks->moment_count; i++) {
		const struct moment *moment = &marks->moments[i];

		if (json_append(array, json_pack("{s:o, s:o}", "name", json_name(moment->name), "time_ns",
						 json_number(moment->time_ns)))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static int json_begin(struct renderer *renderer, const struct report *report)
{
	renderer->state = json_object();
	return add_part(renderer, "schema", json_string("scaler-bpf/report/1")) ?:
		       add_part(renderer, "recording",
				json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "began_ns",
					  json_number(report->recording_start_ns), "start_ns",
					  json_number(report->window.start_ns), "end_ns",
					  json_number(report->window.end_ns), "paused_ns",
					  json_number(report->paused_ns), "wall_clock_ns",
					  (json_int_t)report->wall_clock_ns, "region",
					  region_object(report->region), "marks",
					  marks_array(report->marks)));
}

static int json_components(struct renderer *renderer, const struct report *report)
{
	const char *component_of = component_of_name(report->options.component_of);

	return add_part(renderer, "components", json_table(&report_table_components, report)) ?:
		       add_part(renderer, "component_of", json_string(component_of));
}

static int json_cpu(struct renderer *renderer, const struct report *report)
{
	const struct cpu_summary *cpu = &report->cpu;

	return add_part(renderer, "cpu",
			json_pack("{s:i, s:o, s:o, s:o}", "frequency", (int)report->options.frequency,
				  "samples", json_number(cpu->samples), "running_ns",
				  json_number(cpu->running_ns), "functions",
				  json_table(&report_table_cpu, report)));
}

static int json_library(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "library_calls", json_table(&report_table_library, report)) ?:
		       add_part(renderer, "library_syscalls", json_library_syscalls(report));
}

/* A part that is a table and nothing else, and one that is a value. */
#define TABLE_HOOK(name)                                                                                     \
	static int json_##name(struct renderer *renderer, const struct report *report)                       \
	{                                                                                                    \
		return add_part(renderer, report_table_##name.member,                                        \
				json_table(&report_table_##name, report));                                   \
	}

#define VALUE_HOOK(name, make)                                                                               \
	static int json_##name(struct renderer *renderer, const struct report *report)                       \
	{                                                                                                    \
		return add_part(renderer, #name, make(report));                                              \
	}

TABLE_HOOK(functions)
TABLE_HOOK(flow)
TABLE_HOOK(calls)
TABLE_HOOK(threads)
TABLE_HOOK(latency)
TABLE_HOOK(waits)
TABLE_HOOK(locks)
TABLE_HOOK(blocking)
VALUE_HOOK(tree, json_call_tree)
VALUE_HOOK(chains, json_chain_array)
VALUE_HOOK(summary, json_summary_object)
VALUE_HOOK(bottlenecks, json_bottleneck_object)
VALUE_HOOK(path, json_critical_path)

/* One interval a line, as they end. */
static int json_stream(struct renderer *renderer, const struct report *report)
{
	const struct row_type *type = &report_table_blocking.row_type;
	const struct blocking_report *blocking = &report->blocking;

	for (size_t i = 0; i < blocking->row_count; i++) {
		json_t *object = json_row(type, report, &blocking->rows[i]);

		if (!object)
			return -ENOMEM;
		json_dumpf(object, renderer->out, JSON_COMPACT);
		fputc('\n', renderer->out);
		json_decref(object);
	}
	return 0;
}

static json_t *moved_array(const struct places *places)
{
	json_t *array = json_array();

	for (size_t i = 0; i < places->component_count; i++) {
		if (places->components[i].is_moved &&
		    json_append(array, json_name(places->components[i].name))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* One name and its value a line. */
/* clang-format off */

static int json_coverage(struct renderer *renderer, const struct report *report)
{
	const uint64_t *losses = report->losses;
	const struct thread_figures *total = &report->threads.total;
	const struct scaler_spending *spending = &report->cost.spending;

	return add_part(renderer, "tracer",
			json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
				  "cpu_ns", json_number(report->cost.cpu_ns),
				  "resident_bytes", json_number(report->cost.resident_bytes),
				  "kernel_bytes", json_number(report->cost.kernel_bytes),
				  "probes_ns", json_number(spending->spent_ns[SCALER_COST_PROBES]),
				  "calls_ns", json_number(spending->spent_ns[SCALER_COST_CALLS]),
				  "switches_ns", json_number(spending->spent_ns[SCALER_COST_SWITCHES]),
				  "samples_ns", json_number(spending->spent_ns[SCALER_COST_SAMPLES]),
				  "running_ns", json_number(spending->running_ns),
				  "call_windows", json_number(report->sampled.sampling.windows))) ?:
	       add_part(renderer, "coverage",
			json_pack("{s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?}",
				  "syscalls_filter", report->options.syscalls,
				  "threads_not_followed", json_number(losses[SCALER_LOSS_TASK_STORAGE]),
				  "threads_without_times", json_number(losses[SCALER_LOSS_THREAD_MAP] +
					      losses[SCALER_LOSS_THREADS_KEPT]),
				  "threads_grouped", json_number(report->threads.grouped),
				  "syscalls_not_recorded", json_number(losses[SCALER_LOSS_CALL_MAP]),
				  "errors_without_name", json_number(losses[SCALER_LOSS_ERROR_MAP]),
				  "components_unknown",
				  json_number(losses[SCALER_LOSS_COMPONENT_MAP]),
				  "stacks_not_recorded", json_number(losses[SCALER_LOSS_STACK_MAP]),
				  "stack_events_lost", json_number(losses[SCALER_LOSS_STACK_EVENT]),
				  "samples_lost", json_number(losses[SCALER_LOSS_SAMPLE]),
				  "stacks", json_number(report->stacks),
				  "stacks_unsure", json_number(report->unsure_stacks),
				  "library_calls_on_other_stacks", json_number(losses[SCALER_LOSS_OTHER_STACK]),
				  "library_calls_too_deep", json_number(losses[SCALER_LOSS_CALL_DEPTH]),
				  "library_calls_not_counted",
				  json_number(losses[SCALER_LOSS_LIBRARY_STORAGE] +
					      losses[SCALER_LOSS_CONTEXT_MAP]),
				  "processes_not_followed", json_number(losses[SCALER_LOSS_PROCESS_EVENT]),
				  "library_calls_followed",
				  json_library_followed(report->library.functions),
				  "processes_without_probes",
				  json_library_refused(report->library.functions),
				  "blocking_intervals_lost",
				  json_number(losses[SCALER_LOSS_BLOCKING_STORAGE] +
					      losses[SCALER_LOSS_BLOCKING] +
					      losses[SCALER_LOSS_BLOCKING_KEPT]),
				  "sockets_unknown", json_number(losses[SCALER_LOSS_SOCKET_MAP]),
				  "paths_unknown", json_number(losses[SCALER_LOSS_PATH_MAP]),
				  "events_missed", json_number(losses[SCALER_LOSS_RUN]),
				  "file_blocks_lost", json_number(losses[SCALER_LOSS_FILE]),
				  "blocking_intervals_left_out", json_number(report->blocking.left_out),
				  "functions_left_out",
				  json_library_reasons(report->library.functions, library_reason_omitted),
				  "functions_not_timed",
				  json_library_reasons(report->library.functions, library_reason_untimed),
				  "switches_repaired", json_number(total->repaired),
				  "wakeups_unseen", json_number(total->unseen_wakeups),
				  "threads_dispatching", json_number(total->dispatching),
				  "components_moved", moved_array(report->places),
				  "symbols_given_up", report->symbols_given_up));
}

/* clang-format on */

/* One of several reports is one line, as is one behind a stream. */
static int json_end(struct renderer *renderer, const struct report *report)
{
	bool is_line = report->options.repeats || report->options.has_others || report->options.stream;

	/* A failed write shows in the stream, where the caller looks. */
	json_dumpf(renderer->state, renderer->out, is_line ? JSON_COMPACT : JSON_INDENT(1));
	fputc('\n', renderer->out);
	json_decref(renderer->state);
	return 0;
}

#define HOOK(argument, ID, functions, name, help, needs, keys) [PART_##ID] = json_##functions,

const struct renderer_ops renderer_json = {
	.name = "json",
	.begin = json_begin,
	.parts = { REPORT_PARTS(HOOK, ) },
	.stream = json_stream,
	.coverage = json_coverage,
	.end = json_end,
};
