// SPDX-License-Identifier: GPL-2.0-only
/* The reports as JSON, described by include/scaler/report.schema.json. */
#include "render/renderer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "model/syscalls.h"
#include "render/json_blocking.h"
#include "render/json_bottlenecks.h"
#include "render/json_chains.h"
#include "render/json_figures.h"
#include "render/json_library.h"
#include "render/json_path.h"
#include "render/json_place.h"
#include "render/json_summary.h"
#include "render/json_tree.h"
#include "render/json_values.h"

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

/* clang-format off: one name and its value a line */

/* sampled is taken over. */
static json_t *component_object(const struct component_row *row, json_t *sampled)
{
	static const struct place_component outside;
	const struct place_component *component = row->component ?: &outside;
	const struct time_figures *figures = &row->figures;

	return json_pack("{s:o, s:s?, s:o, s:o, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
			 json_name(component->name), "cut", row->cut, "path", json_name(component->path),
			 "build_id", json_name(*component->build_id ? component->build_id : NULL),
			 "symbols_missing", component->problem, "calls", json_number(figures->calls),
			 "total_ns", json_number(figures->total_ns), "running_ns",
			 json_number(figures->time_ns[SCALER_RUNNING]), "runnable_ns",
			 json_number(figures->time_ns[SCALER_RUNNABLE]), "blocked_ns",
			 json_number(figures->time_ns[SCALER_BLOCKED]), "blocked_ns_by_category",
			 json_blocked(figures), "sampled", sampled);
}

static int json_components(struct renderer *renderer, const struct report *report)
{
	const struct component_summary *components = &report->components;
	const struct component_row outside = { .figures = components->outside };
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < components->row_count && !err; i++)
		err = json_append(array, component_object(&components->rows[i],
							  json_sampled(&report->outside,
								       &components->rows[i].figures)));
	if (!err)
		err = json_append(array, component_object(&outside, json_null()));
	return add_part(renderer, "components", array) ?:
		       add_part(renderer, "component_of", json_string(component_of_name(report->options.component_of))) ?:
		       err;
}

static json_t *caller_object(const struct places *places, const struct function_caller *caller)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "caller", json_place(places, caller->place), "calls",
			 json_number(caller->sum.calls), "total_ns", json_number(caller->sum.total_ns),
			 "blocked_ns", json_number(caller->sum.blocked_ns));
}

static json_t *callers_array(const struct places *places, const struct function_row *row)
{
	json_t *array = json_array();

	for (size_t i = 0; i < row->caller_count; i++) {
		if (json_append(array, caller_object(places, &row->callers[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* sampled is taken over. */
static json_t *function_object(const struct report *report, const struct function_row *row, json_t *sampled)
{
	const struct places *places = report->places;
	const struct call_path *path = &row->path;
	const struct time_figures *figures = &row->figures;
	bool is_cut = path->entered == PLACE_NONE && (figures->calls || figures->samples);

	return json_pack("{s:o, s:o, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "function",
			 json_place(places, path->entered), "innermost", json_place(places, path->innermost),
			 "cut", is_cut ? stack_end_text(path->cut) : NULL, "calls",
			 json_number(figures->calls), "errors", json_number(figures->errors), "total_ns",
			 json_number(figures->total_ns), "running_ns",
			 json_number(figures->time_ns[SCALER_RUNNING]), "runnable_ns",
			 json_number(figures->time_ns[SCALER_RUNNABLE]), "blocked_ns",
			 json_number(figures->time_ns[SCALER_BLOCKED]), "categories",
			 json_categories(figures), "callers", callers_array(places, row), "sampled", sampled,
			 "probed", row->is_probed ? json_library_figures(report, &row->probed) : json_null());
}

static int json_functions(struct renderer *renderer, const struct report *report)
{
	const struct function_summary *functions = &report->functions;
	const struct function_row outside = { .path = { PLACE_NONE, PLACE_NONE, PLACE_NONE, 0 },
					      .figures = functions->outside };
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < functions->row_count && !err; i++)
		err = json_append(
			array, function_object(report, &functions->rows[i],
					       json_sampled(&report->outside, &functions->rows[i].figures)));
	if (!err)
		err = json_append(array, function_object(report, &outside, json_null()));
	return add_part(renderer, "functions", array) ?: err;
}

static json_t *cpu_object(const struct places *places, const struct cpu_row *row)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "function", json_place(places, row->place),
			 "kernel", json_place(places, row->kernel), "samples", json_number(row->samples),
			 "running_ns", json_number(row->time.ns), "low_ns", json_number(row->time.low_ns),
			 "high_ns", json_number(row->time.high_ns));
}

static int json_cpu(struct renderer *renderer, const struct report *report)
{
	const struct cpu_summary *cpu = &report->cpu;
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < cpu->row_count && !err; i++)
		err = json_append(array, cpu_object(report->places, &cpu->rows[i]));
	return add_part(renderer, "cpu", json_pack("{s:i, s:o, s:o, s:o}", "frequency", (int)report->options.frequency, "samples", json_number(cpu->samples), "running_ns", json_number(cpu->running_ns), "functions", array)) ?:
		       err;
}

static int json_tree(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "tree", json_call_tree(report));
}

static json_t *top_call_object(const struct thread_row *row)
{
	const struct scaler_call_id *id = &row->top_call;
	char name[SYSCALL_NAME_SIZE];

	if (!row->top_call_blocked_ns)
		return json_null();
	return json_pack("{s:s, s:s, s:o}", "name", syscall_format(id->abi, id->number, name), "descriptor",
			 syscall_descriptor_name(id->descriptor), "blocked_ns",
			 json_number(row->top_call_blocked_ns));
}

static json_t *top_function_object(const struct report *report, const struct thread_row *row)
{
	if (!report_has_top_function(report, row))
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "function", json_place(report->places, row->top_path.entered),
			 "innermost", json_place(report->places, row->top_path.innermost), "total_ns",
			 json_number(row->top_path_ns));
}

static json_t *thread_object(const struct report *report, const struct thread_row *row)
{
	const struct thread_figures *figures = &row->figures;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "pid",
		json_number(row->pid), "tid", json_number(row->tid), "name", json_name(row->comm), "start_ns",
		json_number(row->start_ns), "exited", row->exited, "life_ns", json_number(figures->life_ns),
		"running_ns", json_number(figures->time_ns[SCALER_RUNNING]), "tracer_ns",
		json_number(figures->tracer_ns), "runnable_ns",
		json_number(figures->time_ns[SCALER_RUNNABLE]), "quota_ns", json_number(figures->quota_ns),
		"blocked_ns", json_number(figures->time_ns[SCALER_BLOCKED]), "voluntary_switches",
		json_number(figures->voluntary), "involuntary_switches", json_number(figures->involuntary),
		"top_blocking_call", top_call_object(row), "top_function", top_function_object(report, row));
}

static int json_threads(struct renderer *renderer, const struct report *report)
{
	const struct thread_summary *threads = &report->threads;
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < threads->row_count && !err; i++)
		err = json_append(array, thread_object(report, &threads->rows[i]));
	return add_part(renderer, "threads", array) ?: err;
}

static json_t *errors_object(const struct call_summary_row *row)
{
	json_t *object = json_object();
	char name[CALL_ERROR_NAME_SIZE];

	for (size_t i = 0; i < row->error_count; i++) {
		const struct call_error *error = &row->errors[i];

		/* Without memory this one is NULL, and so fails whatever it is put into. */
		if (json_object_set_new(object, call_error_format(error->code, name),
					json_number(error->count))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *partial_object(const struct partial_figures *partial)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "count", json_number(partial->count), "total_ns",
			 json_number(partial->total_ns), "runnable_ns", json_number(partial->runnable_ns),
			 "blocked_ns", json_number(partial->blocked_ns));
}

static json_t *call_object(const struct report *report, const struct call_summary_row *row)
{
	const struct call_figures *figures = &row->figures;
	const struct call_summary_key *key = &row->key;
	const struct places *places = report->places;
	char name[SYSCALL_NAME_SIZE];

	return json_pack(
		"{s:s, s:o, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"name", syscall_format(key->abi, key->number, name), "number", json_number(key->number),
		"abi", key->abi == SCALER_ABI_NATIVE ? "native" : "compat", "descriptor",
		syscall_descriptor_name(key->descriptor), "category", syscall_category_name(row->category),
		"issuer", json_place(places, key->issuer), "count", json_number(figures->count), "errors",
		json_number(figures->errors), "errors_by_name", errors_object(row), "total_ns",
		json_number(figures->total_ns), "runnable_ns", json_number(figures->runnable_ns),
		"blocked_ns", json_number(figures->blocked_ns), "p50_ns", json_number(row->p50_ns), "p99_ns",
		json_number(row->p99_ns), "max_ns", json_number(row->max_ns), "max_start_ns",
		row->max_start_ns ? json_number(row->max_start_ns) : json_null(), "partial",
		partial_object(&figures->partial), "sampled",
		json_call_ranges(&report->sampled, &figures->sampled, figures->count, figures->total_ns));
}

static int json_library(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "library_calls", json_library_calls(report)) ?:
		       add_part(renderer, "library_syscalls", json_library_syscalls(report));
}

static int json_flow(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "flow", json_flow_array(report));
}

static int json_calls(struct renderer *renderer, const struct report *report)
{
	const struct call_summary *calls = &report->calls;
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < calls->row_count && !err; i++)
		err = json_append(array, call_object(report, &calls->rows[i]));
	return add_part(renderer, "syscalls", array) ?: err;
}

/* The times of none are null. */
static json_t *latency_object(const struct latency_row *row)
{
	const struct latency_figures *figures = &row->figures;
	const struct thread_row *thread = row->thread;
	bool has_longest = figures->longest.duration_ns != 0;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "pid",
			 json_number(thread->pid), "tid", json_number(thread->tid), "name",
			 json_name(thread->comm), "running_ns", json_number(figures->running_ns), "switches",
			 json_number(figures->switches), "delays", json_number(figures->delays), "delay_ns",
			 json_number(figures->delay_ns), "quota_ns", json_number(figures->quota_ns),
			 "average_ns",
			 figures->delays ? json_number(latency_average_ns(figures)) : json_null(), "max_ns",
			 has_longest ? json_number(figures->longest.duration_ns) : json_null(),
			 "max_start_ns", has_longest ? json_number(figures->longest.start_ns) : json_null(),
			 "is_lower_bound", figures->is_lower_bound);
}

static int json_latency(struct renderer *renderer, const struct report *report)
{
	const struct latency_summary *latency = &report->latency;
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < latency->row_count && !err; i++)
		err = json_append(array, latency_object(&latency->rows[i]));
	return add_part(renderer, "latency", array) ?: err;
}

static int json_waits(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "waits", json_wait_sums(report));
}

static int json_locks(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "locks", json_lock_array(report));
}

static int json_chains(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "chains", json_chain_array(report));
}

static int json_summary(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "summary", json_summary_object(report));
}

static int json_bottlenecks(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "bottlenecks", json_bottleneck_object(report));
}

static int json_path(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "path", json_critical_path(report));
}

static int json_blocking(struct renderer *renderer, const struct report *report)
{
	return add_part(renderer, "blocking", json_blocking_intervals(report));
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
			json_pack("{s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?}",
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
